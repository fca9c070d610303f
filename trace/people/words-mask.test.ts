import returnTexts from '../../simulator/authority/return-texts.json' with { type: 'json' };
import { expect, test, describe } from 'vitest';
import { wordsMask } from './words-mask.ts';
import { shownBody, heldBack } from './body.ts';
import { allowing } from './testing/canaries.ts';
import { shownHeaderName } from './headers.ts';
import { viewOf } from './veil.ts';
import { messages } from '../../simulator/rules/language.ts';
import { lookupRefusals } from '../../simulator/rules/refusal.ts';

const mask = wordsMask(
  new Map([
    ['José da Conceição', '$nome'],
    ['Ana', '$nome'],
    ['Ana Lima & Cia', '$razaoSocial'],
    ['39053344705', '$cpf'],
    ['390.533.447-05', '$cpf'],
    ['张伟', '$nome'],
  ]),
);

test.each([
  ['as it stands', 'o nome José da Conceição consta', 'o nome $nome consta'],
  ['in capitals', 'JOSÉ DA CONCEIÇÃO', '$nome'],
  ['without accents', 'jose da conceicao', '$nome'],
  ['with accents of their own', 'Jose\u0301 da Conceic\u0327a\u0303o!', '$nome!'],
  ['over two lines', 'José\r\n   da\tConceição', '$nome'],
  ['as JSON escapes', String.raw`"Jos\u00e9 da Concei\u00e7\u00e3o"`, '"$nome"'],
  ['as JSON escapes twice', String.raw`\"Jos\\u00e9\\nda Conceição\"`, String.raw`\"$nome\"`],
  ['as XML escapes', 'Jos&#233; da Concei&ccedil;&#xE3;o', '$nome'],
  ['as XML escapes twice', 'Ana Lima &amp;amp; Cia', '$razaoSocial'],
  ['in percents', 'Jos%C3%A9%20da%20Concei%C3%A7%C3%A3o', '$nome'],
  ['in percents of Latin-1', 'Jos%E9 da Concei%E7%E3o', '$nome'],
  ['in percents twice', 'Jos%25C3%25A9%2520da%2520Concei%25C3%25A7%25C3%25A3o', '$nome'],
  ['in a text of a script without blanks', '用户张伟不存在', '用户$nome不存在'],
  ['with more behind it that is known as well', 'Ana Lima & Cia, Ana', '$razaoSocial, $nome'],
  ['right beside letters, of a number', 'id39053344705x', 'id$cpfx'],
  ['with points', 'CPF 390.533.447-05.', 'CPF $cpf.'],
])('a value is hidden that is written %s', (_, text, masked) => {
  expect(mask(text)).toBe(masked);
});

test.each(['Banana', 'Anacleto', '139053344705', '390533447051', 'Jose da Silva'])(
  'what only begins like it stays: %s',
  (text) => {
    expect(mask(text)).toBe(text);
  },
);

test.each(['$NFE_ANA_LIMA', '… 11 letters ~anab', '(another token of 39053344705 characters)'])(
  'what stands for something hidden stays as it is: %s',
  (text) => {
    const more = wordsMask(
      new Map([
        ['letters', '$a'],
        ['39053344705', '$b'],
        ['ANA', '$c'],
        ['11', '$d'],
      ]),
    );
    expect(more(text)).toBe(text);
  },
);

test('a value of many words is hidden to its end, and so is its start', () => {
  const words = Array.from({ length: 100 }, (_, index) => `palavra${index}x`);
  const long = wordsMask(new Map([[words.join(' '), '$texto']]));
  expect(long(`a ${words.join(' ')} b`)).toBe('a $texto b');
  expect(long(words.slice(0, 60).join(' '))).not.toContain('palavra10x');
});

test('ten thousand values take no longer to hide than a few', () => {
  const people = Array.from({ length: 10_000 }, (_, index): [string, string] => [
    `Ana Lima ${index} de Souza`,
    '$nome',
  ]);
  const text = 'Ana Lima 77 de Souza e Ana Lima de Souza '.repeat(2_000);
  const [few, many] = [wordsMask(new Map(people.slice(0, 100))), wordsMask(new Map(people))];
  const timeOf = (hide: typeof few): number => {
    const started = performance.now();
    expect(hide(text)).toContain('$nome e Ana Lima de Souza');
    return performance.now() - started;
  };
  timeOf(few);
  expect(timeOf(many)).toBeLessThan(Math.max(500, timeOf(few) * 5));
});

describe('body', () => {
  /** What is shown of a body, without its marks. */
  const shown = (body: string, own: readonly string[] = []): string =>
    shownBody(body, allowing(own)).replaceAll(/ ~[\da-z]{4}/g, '');

  /** The CPF of the issuer stands where the CNPJ of a company does, behind three zeros. */
  const keyOfPerson = '35261000039053344705550010000010011172904576';

  describe('of JSON', () => {
    test('structure, white space and names of members stay, a value under a name of nobody’s shows its length and kind', () => {
      const body = '{\r\n  "ni" : "39053344705", "nome":"MARIA DA SILVA",\t"itens":[ "Rua A, 1",null,true ] }';
      expect(shown(body)).toBe(
        '{\r\n  "ni" : "… 11 digits", "nome":"… 14 letters",\t"itens":[ "… 8 characters",null,true ] }',
      );
    });

    test.each([
      '{"success":false,"errorType":1,"code":10009003,"message":"A assinatura não confere"}',
      '{"code":"10015004","message":"not found"}',
      '[{"codigo":"NFE-0042","mensagem":"campo itens[0].ncm ausente"}]',
      '{"status":"Autorizada","validation":{"validationStatus":"REJECTED"},"cStat":"302","eventos":[]}',
      '{"protocolo":{"numero":"135260000000001","digestValue":"AAAAAAAAAAAAAAAAAAAAAAAAAAA="}}',
      '{"chaveAcesso":"35261099999991000125550010000010011172904576","verifiedAt":"2026-10-05T13:00:00.000Z"}',
      '{"version":"1.0","event_id":"8b0f1c3e-2222-4f6a-9d59-0d8b7a3e2f11","event_type":"invoice.verify.completed"}',
      '{"timestamp":"2026-10-05T13:00:00.000+00:00","status":404,"error":"Not Found","path":"/openapi/v2/empresas"}',
      '{"tipo":"NF-e","nfeNumero":"1001","nfeSerie":"1","nfeLinkDanfe":"","nfeMotivoStatus":"302 - Uso Denegado"}',
      '{"message":"This API has been retired, please use /openapi/v3/consultas/cpf/{cpf}/{nascimento} instead"}',
      '{"code":10009000,"message":"Falta o header \\"sign\\" ou “timestamp”, código 10009000"}',
    ])('what the contract names and what tells of nobody is shown: %s', (body) => {
      expect(shown(body)).toBe(body);
    });

    test.each([
      ['a name in code', '{"code":"Maria Silva"}', '{"code":"… 11 letters"}'],
      ['a CPF in code', '{"code":39053344705}', '{"code":… 11 digits}'],
      ['a birth date in code', '{"code":"10011980"}', '{"code":"… 8 digits"}'],
      ['a name in status', '{"status":"Maria"}', '{"status":"… 5 letters"}'],
      ['a birth date in a time', '{"verifiedAt":"1980-01-01T00:00:00Z"}', '{"verifiedAt":"… 20 characters"}'],
      ['a day in a time', '{"serverTime":"2005-01-01"}', '{"serverTime":"… 10 characters"}'],
      ['a name in an id', '{"event_id":"maria-silva"}', '{"event_id":"… 11 characters"}'],
      ['a number that could be somebody’s', '{"x":123456,"y":59.90}', '{"x":… 6 digits,"y":59.90}'],
      ['a name as a member', '{"Maria Silva":1,"39053344705":2}', '{"… 11 letters":1,"… 11 digits":2}'],
      [
        'a name in JSON in a string',
        String.raw`{"a":"{\"nome\":\"Ana\"}"}`,
        String.raw`{"a":"{\"nome\":\"… 3 letters\"}"}`,
      ],
      ['a value that is cut off', '{"status":"Autoriz', '{"status":"… 7 letters'],
      ['a message that is cut off', '{"message":"o CPF 3905334', '{"message":"… 13 characters'],
      [
        'a birth date of these years in a time',
        '{"verifiedAt":"2005-03-05T00:00:00Z"}',
        '{"verifiedAt":"… 20 characters"}',
      ],
      ['an access key of a person', `{"chave":"${keyOfPerson}"}`, '{"chave":"… 44 digits"}'],
      ['a name in what others call an error', '{"error":"Not Found: ana lima"}', '{"error":"Not Found: … 8 letters"}'],
      ['a number that is cut off', '{"cpf":39053', '{"cpf":… 5 digits'],
      ['a name in quotes in a message', '{"message":"«Maria» não existe"}', '{"message":"«… 5 letters» não existe"}'],
      ['a name without quotes', '{"message":"a Ana Lima deve"}', '{"message":"a … 8 letters deve"}'],
      ['a CPF in a message', '{"message":"CPF 390.533.447-05 inválido"}', '{"message":"CPF … 14 characters inválido"}'],
      ['a telephone', '{"message":"ligue (11) 98888-7777"}', '{"message":"ligue (… 14 characters"}'],
    ])('%s is not', (_, body, expected) => {
      expect(shown(body)).toBe(expected);
    });

    test('what the suite sent is shown where it comes back', () => {
      const body = '{"nfeId":"pedido-42","x":"pedido-42","message":"pedido \\"pedido-42\\" e 12345678"}';
      expect(shown(body, ['pedido-42', '12345678'])).toBe(body);
    });

    test('but for people who are known', () => {
      const known = new Map([['39053344705', '$cpf']]);
      expect(shownBody('{"ni":"39053344705","nome":"x"}', allowing(['39053344705', 'x'], known))).toBe(
        '{"ni":"$cpf","nome":"x"}',
      );
    });

    test('alike is marked alike, and differently from what differs', () => {
      const marks = shownBody('["Ana","Ana","Eva"]', allowing()).match(/~[\da-z]{4}/g) ?? [];
      expect(marks).toHaveLength(3);
      expect([marks[0] === marks[1], marks[0] === marks[2]]).toEqual([true, false]);
    });

    test('what stands for a secret stays, and what stands around it does not', () => {
      expect(shown('{"a":"$NFE_APP_SECRET","b":"Ana $NFE_APP_SECRET","c":"$NFE_OTHER"}')).toBe(
        '{"a":"$NFE_APP_SECRET","b":"… 4 letters$NFE_APP_SECRET","c":"… 10 characters"}',
      );
    });
  });

  describe('of XML', () => {
    test('elements and attributes stay, values by their element, and what is no element shows its length', () => {
      const body =
        '<?xml version="1.0" encoding="UTF-8"?><nfeProc versao="4.00" xmlns="http://www.portalfiscal.inf.br/nfe">\n' +
        '<infNFe Id="NFe35261099999991000125550010000010011172904576"><xNome>MARIA &amp; CIA</xNome><cStat>100</cStat>' +
        '<xMotivo>Autorizado o uso da NF-e</xMotivo><!-- Maria --><a><![CDATA[Maria]]></a></infNFe></nfeProc>';
      expect(shown(body)).toBe(
        body
          .replace('MARIA &amp; CIA', '… 11 characters')
          .replace(' Maria ', '… 7 letters')
          .replace('[Maria]', '[… 5 letters]'),
      );
    });

    test('a name of an element that is nobody’s does not', () => {
      expect(shown('<lista><Maria x="Ana"/></lista>')).toBe('<lista><… 5 letters x="… 3 letters"/></lista>');
    });
  });

  describe('of other texts', () => {
    test('tags and the words of servers are shown', () => {
      const body =
        '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n' +
        '<hr><center>nginx/1.18.0 (Ubuntu)</center>\r\n</body>\r\n</html>';
      expect(shown(body)).toBe(body.replace('Ubuntu', '… 6 letters'));
    });

    test('of a plain text only such words are', () => {
      expect(shown('404 page not found: Ana Lima 39053344705')).toBe('404 page not found: … 8 letters … 11 digits');
    });
  });

  test('the time that a body takes grows as its length does, however it is built', () => {
    const builders = [
      (n: number) => '['.repeat(n),
      (n: number) => '{"a":'.repeat(n),
      (n: number) => `{"message":"${'"\\'.repeat(n)}`,
      (n: number) => `{"message":"${'10009000 '.repeat(n)}"}`,
      (n: number) => `{"message":"${'Ana '.repeat(n)}"}`,
      (n: number) => `{"message":"${'1 '.repeat(n)}"}`,
      (n: number) => `{"message":"${"'a ".repeat(n)}"}`,
      (n: number) => `{"message":"${'«'.repeat(n)}"}`,
      (n: number) => '<a '.repeat(n),
      (n: number) => '<!--'.repeat(n),
      (n: number) => '<a b="'.repeat(n),
      (n: number) => `<a>${'&amp;'.repeat(n)}</a>`,
      (n: number) => 'a.'.repeat(n),
      (n: number) => 'Ana Lima '.repeat(n),
      (n: number) => `<p>${'Ana <b>'.repeat(n)}`,
      (n: number) => `{"error":"${'Ana-'.repeat(n)}"}`,
      (n: number) => '%41%'.repeat(n),
      (n: number) => '\\'.repeat(n),
      (n: number) => '$A_B'.repeat(n),
      (n: number) => `{"linkDanfe":"http://${'/?'.repeat(n)}"}`,
    ];
    const allowance = allowing(
      [],
      new Map([
        ['Ana Ana Ana Lima', '$nome'],
        ['1 1 1 1 1 2', '$cpf'],
      ]),
    );
    const timeOf = (text: string): number => {
      const start = process.threadCpuUsage();
      shownBody(text, allowance);
      const { user, system } = process.threadCpuUsage(start);
      return (user + system) / 1000;
    };
    // One of a few tries, and only what this thread works: a machine with more to do is slow at times.
    const isSoon = (build: (n: number) => string): boolean =>
      [1, 2, 3].some(() => timeOf(build(16_000)) < Math.max(100, timeOf(build(2_000)) * 30));
    for (const build of builders) expect(isSoon(build), build(3)).toBe(true);
  });
});

describe('explaining', () => {
  const shown = (message: string): string => shownBody(JSON.stringify({ message }), allowing());

  test.each([
    ['escaped by JSON', 'não consta: Concei\\u00e7\\u00e3o Guimar\\u00e3es Prado'],
    ['escaped by HTML', 'não consta: Jer&ocirc;nimo Assun&#231;&atilde;o'],
    ['in percents', 'não consta: Ubirajara%20Jacarand%C3%A1'],
    ['with the last one first', 'não consta: Bittencourt, Zuleica Maria'],
  ])('a name in a text that explains is hidden whole, %s', (_, text) => {
    expect(shown(text)).toMatch(/^\{"message":"não consta: … \d+ (?:letters|characters) ~\w{4}"\}$/);
  });

  test.each(['não consta: c\\u00f3digo 404', 'campo com &eacute; inv&aacute;lido', '100% inválido'])(
    'a text without a name stays as it is written: %s',
    (text) => {
      expect(shown(text)).toBe(JSON.stringify({ message: text }));
    },
  );
});

describe('headers', () => {
  const view = viewOf(allowing());

  test.each(
    'Content-Type X-Correlation-Id CF-Ray x-amzn-RequestId X-B3-TraceId x-envoy-upstream-service-time X-Service-Event-Id X-Trace'.split(
      ' ',
    ),
  )('the name of a header stays: %s', (name) => {
    expect(shownHeaderName(name, view)).toBe(name);
  });

  test.each(['X-Zuleica-Bittencourt', 'x-KDUxKSA5ODEyMy00NTY3', 'x-39053344705', `x-${'Bittencourt'.repeat(3)}`])(
    'one that may be the name or the number of somebody does not: %s',
    (name) => {
      expect(shownHeaderName(name, view)).toMatch(/^… \d+ characters/);
    },
  );
});

describe('held back', () => {
  test('is what is new alone: what was held before is not learnt again', () => {
    const rawBody = Buffer.from('{"nome":"Zuleica Bittencourt","apelido":"Zuzu Bitten"}');
    const isNew = (value: string): boolean => value !== 'Zuleica Bittencourt';
    const held = heldBack({ headers: [], rawBody }, allowing(), (text) => text, isNew);
    expect([...held.keys()]).toEqual(['Zuzu Bitten']);
  });

  const heldOf = (target: string): string[] => [
    ...heldBack({ headers: [], rawBody: Buffer.alloc(0), target }, allowing()).keys(),
  ];

  test.each(['/x?canal=verificacao', '/x?canal=verifica%C3%A7%C3%A3o'])(
    'a word that the suite says itself is left in its sentences, however an address spells it: %s',
    (target) => {
      expect(heldOf(target)).not.toContain(target.split('=')[1]);
    },
  );

  test('another word of an address is held back, in percents too', () => {
    expect(heldOf('/x?canal=Concei%C3%A7%C3%A3o')).toContain('Concei%C3%A7%C3%A3o');
  });
});

describe('readable answers', () => {
  const shown = (message: string): string => shownBody(JSON.stringify({ message }), allowing());

  describe('texts that explain stay as they are', () => {
    test('of the gateway, in every language', () => {
      const texts = Object.values(messages).flatMap((message) => Object.values(message));
      for (const text of texts) expect(shown(text)).toBe(JSON.stringify({ message: text }));
    });

    test('of the registries, with their codes', () => {
      for (const { code, message: texts } of Object.values(lookupRefusals)) {
        for (const message of Object.values(texts)) {
          const body = JSON.stringify({ code, message });
          expect(shownBody(body, allowing())).toBe(body);
        }
      }
    });

    test('of the tax authority, but for one that quotes a number', () => {
      const belowThousand = Object.entries(returnTexts).filter(([code]) => Number(code) < 1000);
      const texts = belowThousand.map(([, text]) => text);
      const changed = texts.filter((text) => shown(text) !== JSON.stringify({ message: text }));
      expect(changed).toEqual([
        'Rejeição: Informado código de município diferente de "9999999" para operação com o exterior',
      ]);
    });
  });
});
