import { writings, type Writing } from '../../../trace/secrets/testing/writings.ts';

/** Something that a target knows and that no report of ours may say. */
export interface Canary {
  /** What it is, and how it is written. */
  readonly kind: string;
  /** As the target writes it. */
  readonly text: string;
  readonly sought: Sought;
}

/**
 * How it is looked for: of a secret each stretch of eight characters tells, of a token, which is drawn anew each time, the whole; of
 * a person their name or number, whatever stands between its characters.
 */
export type Sought =
  | { readonly by: 'part'; readonly secret: string }
  | { readonly by: 'whole'; readonly secret: string }
  | { readonly by: 'person'; readonly telling: string };

/** Everything that a target of these tests gives away, by the secrets that it was told. */
export function canariesOf({ app, others }: { app: string; others: ReadonlyMap<string, string> }): readonly Canary[] {
  return [...ofApp(app), ...ofOthers(others), ...received, ...people];
}

/** The App Secret as everybody writes it: once, twice, and cut. */
function ofApp(secret: string): Canary[] {
  const canary = (kind: string, text: string, part = secret): Canary => ({
    kind: `App Secret, ${kind}`,
    text,
    sought: { by: 'part', secret: part },
  });
  const [start, middle, end] = [secret.slice(0, 12), secret.slice(5, 15), secret.slice(-8)];
  return [
    canary('as it stands', secret),
    canary('in capitals', secret.toUpperCase()),
    canary('in the midst of a word', `token${secret}abc`),
    ...writings.map(({ name, write }) => canary(name, write(secret))),
    ...pairs.map(([outer, inner]) =>
      canary(`${outer} around ${inner}`, writing(outer).write(writing(inner).write(secret))),
    ),
    canary('its start', start, start),
    canary('its end', end, end),
    canary('its middle in base64', Buffer.from(middle).toString('base64'), middle),
    canary('its start in JSON as .NET writes it', writing('JSON as .NET writes it').write(start), start),
    canary('its end in hexadecimal', Buffer.from(end).toString('hex').toUpperCase(), end),
  ];
}

const pairs = [
  ['base64', 'JSON as PHP writes it'],
  ['JSON', 'XML'],
  ['a URL', 'base64'],
  ['a URL', 'a URL'],
  ['hexadecimal in capitals', 'base64'],
  ['base64', 'hexadecimal'],
  ['XML', 'a URL in small letters'],
  ['JSON as .NET writes it', 'JSON as .NET writes it'],
  ['decimal references', 'base64url'],
  ['base64 behind a user name', 'UTF-16'],
] as const;

function writing(name: string): Writing {
  const found = writings.find((one) => one.name === name);
  if (!found) throw new Error(`nothing is written ${name}`);
  return found;
}

/** The secrets of the other settings, each written in another way. */
function ofOthers(others: ReadonlyMap<string, string>): Canary[] {
  return [...others].map(([name, secret], index) => {
    const { name: way, write } = writings[(index * 5) % writings.length] ?? writing('JSON');
    return { kind: `${name}, ${way}`, text: write(secret), sought: { by: 'part', secret } };
  });
}

/** What lets whoever knows it in, and comes from the target. */
export const cookie = 'bQ2vLxkWzTnRcYhPdM';
const token = (kind: string, secret: string, text: string): Canary => ({
  kind: `a link's token, ${kind}`,
  text,
  sought: { by: 'whole', secret },
});

const received: readonly Canary[] = [
  { kind: 'a cookie, sent back in a text', text: `SESSION=${cookie}`, sought: { by: 'whole', secret: cookie } },
  token('in its path', 'f3a9c1d27be84f60', 'https://docs.canario.example/d/f3a9c1d27be84f60.xml'),
  token('without a digit', 'kWzTnRcYhPdMvLxq', 'https://docs.canario.example/kWzTnRcYhPdMvLxq/danfe'),
  token('in its query', 'Zt8-vKq2_LmXw9Rb', 'https://docs.canario.example/arquivos?t=Zt8-vKq2_LmXw9Rb&v=1'),
  token('in its fragment', 'pL5nRw7tYk3mVx', 'https://docs.canario.example/documentos#pL5nRw7tYk3mVx'),
  token('before its host', 'gH6jKd8sWq4zBn', 'https://integrador:gH6jKd8sWq4zBn@docs.canario.example/danfe'),
  token('in JSON as PHP writes it', 'aT9cVb3nMx7kLp', 'https:\\/\\/docs.canario.example\\/d\\/aT9cVb3nMx7kLp'),
  token('in XML', 'uY4eRt6wQz2sDf', 'https://docs.canario.example/d?a=1&amp;key=uY4eRt6wQz2sDf'),
];

const person = (kind: string, text: string, telling = text): Canary => ({
  kind,
  text,
  sought: { by: 'person', telling },
});

/** The people of the profile, as the profile has them. */
export const ofProfile = {
  nome: 'Quitéria Bonfim Xavantes',
  cpf: '52998224725',
  nascimento: '29021988',
  email: 'quiteria.bonfim@canario.example',
  telefone: '41987651234',
  logradouro: 'Travessa Ipiranga Velha',
} as const;

const people: readonly Canary[] = [
  person('a name', 'Zuleica Canária Bittencourt', 'Bittencourt'),
  person('a name in capitals', 'IRACEMA KOWALSKI DA SILVA', 'KOWALSKI'),
  person('a name in JSON escapes', 'Concei\\u00e7\\u00e3o Guimar\\u00e3es Prado', 'Guimarães'),
  person('a name in references', 'Jer&ocirc;nimo Assun&#231;&atilde;o', 'Assunção'),
  person('a name in percents', 'Ubirajara%20Jacarand%C3%A1', 'Jacarandá'),
  person('a CPF', '39053344705'),
  person('a CPF with points', '868.288.330-07'),
  person('a birth date', '17/11/1963'),
  person('a birth date as ISO writes it', '1971-12-23'),
  person('a birth date in eight digits', '21101957'),
  person('an address', 'Alameda dos Jatobás Amarelos, 88', 'Jatobás Amarelos'),
  person('a telephone', '(51) 98123-4567'),
  person('a telephone of the whole world', '+55 61 97777-1212'),
  person('an address of mail', 'urbano.peixoto@canario.example', 'urbano.peixoto'),
  person('the recipient of the profile', ofProfile.nome, 'Xavantes'),
  person('the same in capitals without accents', 'QUITERIA BONFIM XAVANTES', 'Xavantes'),
  person('the same, last name first', 'Xavantes, Quitéria Bonfim', 'Quitéria'),
  person('the CPF of the profile', ofProfile.cpf),
  person('the same with points', '529.982.247-25'),
  person('the birth date of the profile', ofProfile.nascimento),
  person('the same as ISO writes it', '1988-02-29'),
  person('the same with slashes', '29/02/1988'),
  person('the mail of the profile', ofProfile.email, 'quiteria.bonfim'),
  person('the telephone of the profile', '(41) 98765-1234', ofProfile.telefone),
  person('the street of the profile', ofProfile.logradouro, 'Ipiranga Velha'),
];
