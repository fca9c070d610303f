import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ProfileError, profileFiles, readProfile, webhookBody, type Profile } from './profile.ts';
import { wordsMask } from '../trace/people/words-mask.ts';
import { newFolder } from '../runner/testing/folders.ts';
import { profilePeople } from './mask.ts';

describe('profile', () => {
  const password = 'canary-password';

  function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
    const folder = newFolder();
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    return folder;
  }

  function profileWith(files: Readonly<Record<string, string | Buffer>>): Profile {
    return readProfile(folderWith(files));
  }

  function refusal(folder: string): string {
    try {
      readProfile(folder);
    } catch (error) {
      if (error instanceof ProfileError) return error.message;
      throw error;
    }
    return 'no refusal';
  }

  const numbers = { cnpj: '99999999000191', cpf: '99999999050', nascimento: '01011980' };
  const certificado = { file: 'arquivo', fields: { senha: password } };

  describe('a profile', () => {
    test('may lack every file', () => {
      const profile = profileWith({});
      expect(profile.missing()).toEqual(Object.keys(profileFiles));
      expect([profile.json('empresa.json'), profile.bytes('certificado.pfx')]).toEqual([undefined, undefined]);
      expect([profile.certificado, profile.consultas, profile.secrets().size]).toEqual([undefined, undefined, 0]);
    });

    test('gives what its files hold', () => {
      const pfx = Buffer.from([0x30, 0x82, 0xff, 0x00]);
      const profile = profileWith({
        'nf-e.autorizada.json': '\ufeff{"itens": [1]}',
        'certificado.pfx': pfx,
        'certificado.json': JSON.stringify(certificado),
        'consultas.json': JSON.stringify({ ...numbers, unknown: numbers }),
        'verificacao.rejeitada.xml': '<a>ç</a>\r\n',
      });
      expect(profile.json('nf-e.autorizada.json')).toEqual({ itens: [1] });
      expect(profile.bytes('certificado.pfx')).toEqual(pfx);
      expect(profile.bytes('verificacao.rejeitada.xml')).toEqual(Buffer.from('<a>ç</a>\r\n'));
      expect(profile.certificado).toEqual(certificado);
      expect(profile.consultas).toEqual({ ...numbers, unknown: numbers });
      expect(profile.missing()).toHaveLength(Object.keys(profileFiles).length - 5);
    });

    test('that is no folder is refused', () => {
      const file = join(folderWith({ 'empresa.json': '{}' }), 'empresa.json');
      expect(refusal(join(newFolder(), 'absent'))).toMatch(/absent can't be read \(ENOENT\): a profile is a folder/);
      expect(refusal(file)).toMatch(/can't be read \(ENOTDIR\)/);
    });

    test('whose file is there and can not be read is refused', () => {
      const [folder, dangling] = [folderWith({}), folderWith({})];
      mkdirSync(join(folder, 'empresa.json'));
      symlinkSync('nowhere', join(dangling, 'empresa.json'));
      expect(refusal(folder)).toMatch(/empresa\.json can't be read \(EISDIR\): it takes a JSON object/);
      expect(refusal(dangling)).toMatch(/empresa\.json can't be read \(ENOENT\): it takes a JSON object/);
    });
  });

  describe('a file of a profile is refused', () => {
    const withNumbers = (change: object): string => JSON.stringify({ ...numbers, unknown: numbers, ...change });

    test.each<[string, string | Buffer, string]>([
      ['empresa.json', '{"a": 1,\n  b}', 'is not JSON (line 2, column 3): it takes a JSON object'],
      ['empresa.json', '', 'is empty'],
      ['empresa.json', Buffer.from([0x7b, 0xe7, 0x7d]), 'is not UTF-8'],
      ['nf-e.negada.json', '[]', 'holds no JSON object'],
      ['nf-e.invalida.json', 'null', 'holds no JSON object'],
      ['certificado.pfx', '', 'is empty: it takes a certificate with its key as PKCS#12'],
      ['outro-certificado.pfx', '-----BEGIN CERTIFICATE-----', 'is another kind of file'],
      ['verificacao.autorizada.xml', ' \r\n', 'is empty: it takes an XML document in UTF-8'],
      ['verificacao.rejeitada.xml', Buffer.from('\ufeff<a/>', 'utf16le'), 'is not UTF-8'],
      ['certificado.json', '{"fields": {}}', 'has no text in file: it takes {"file"'],
      ['certificado.json', '{"file": "", "fields": {}}', 'has no text in file'],
      ['certificado.json', '{"file": "a"}', 'has no object in fields'],
      ['certificado.json', '{"file": "a", "fields": ["b"]}', 'has no object in fields'],
      ['certificado.json', '{"file": "a", "fields": {"senha": 1234}}', 'has no text in "fields.senha"'],
      ['certificado.json', '{"file": "a", "fields": {}, "senha": "x"}', 'has a field "senha" that nothing reads'],
      ['consultas.json', JSON.stringify(numbers), 'has no object in unknown: it takes {"cnpj": 14 digits'],
      ['consultas.json', withNumbers({ cnpj: '9'.repeat(13) }), 'has no text of 14 digits in cnpj'],
      ['consultas.json', withNumbers({ cpf: 99999999050 }), 'has no text of 11 digits in cpf'],
      ['consultas.json', withNumbers({ nascimento: '1980-1-1' }), 'has no text of 8 digits in nascimento'],
      ['consultas.json', withNumbers({ unknown: { cnpj: numbers.cnpj } }), 'has no text of 11 digits in unknown.cpf'],
      ['consultas.json', withNumbers({ cep: '01000000' }), 'has a field "cep" that nothing reads'],
      ['consultas.json', withNumbers({ unknown: { ...numbers, cep: '' } }), 'has a field "unknown.cep"'],
    ])('%s: %s', (file, content, fault) => {
      const message = refusal(folderWith({ [file]: content }));
      expect(message).toContain(`${file} ${fault}`);
      expect(message).not.toContain('\n');
    });

    test.each([
      `{"file": "a", "fields": {"senha": "${password}}`,
      `{"file": "a", "fields": {"senha": ${password}}}`,
      `{"file": "a", "fields": "${password}"}`,
      `"${password}"`,
    ])('and nothing of its content shows: %s', (content) => {
      const message = refusal(folderWith({ 'certificado.json': content }));
      expect(message).toContain('certificado.json');
      expect(message).not.toContain(password.slice(0, 6));
    });
  });

  describe('the name of a file', () => {
    test.each([
      ['empreza.json', 'empresa.json'],
      ['Empresa.JSON', 'empresa.json'],
      ['nfe_autorizada.json', 'nf-e.autorizada.json'],
      ['nf-e.inválida.json', 'nf-e.invalida.json'],
      ['verificação.rejeitada.xml', 'verificacao.rejeitada.xml'],
      ['certificado.p12', 'certificado.pfx'],
      ['consulta.json', 'consultas.json'],
      ['consultas.json.txt', 'consultas.json'],
      ['verificacao.autorizda.xml', 'verificacao.autorizada.xml'],
      ['verificacao.auotrizada.xml', 'verificacao.autorizada.xml'],
    ])('%s is refused as a typo of %s', (name, meant) => {
      const refused = new RegExp(
        `${name} is no file of a profile: rename it to ${meant.replaceAll('.', '\\.')}, or remove`,
      );
      expect(refusal(folderWith({ [name]: '{}' }))).toMatch(refused);
    });

    test.each(['README.md', 'notes.json', '.gitignore', 'empresa.yaml.md', 'cliente.json', 'nf-e.negadadada.json'])(
      '%s is nobody else, and the file is ignored',
      (name) => {
        expect(profileWith({ [name]: 'not JSON' }).missing()).toHaveLength(Object.keys(profileFiles).length);
      },
    );

    test.each(['empresa.json~', 'empresa.json.bak', 'empresa2.json'])(
      '%s is a copy where the file itself is there',
      (name) => {
        expect(profileWith({ 'empresa.json': '{}', [name]: 'not JSON' }).json('empresa.json')).toEqual({});
      },
    );
  });

  describe('the secrets of a profile', () => {
    const secretsWith = (fields: Record<string, string>): [string, string][] => {
      const profile = profileWith({ 'certificado.json': JSON.stringify({ file: 'a', fields }) });
      return [...profile.secrets()];
    };

    test('are the texts that go with a certificate, and each says where it stands', () => {
      expect(secretsWith({ senha: password, codigo: '123456' })).toEqual([
        [password, '$certificado.json:senha'],
        ['123456', '$certificado.json:codigo'],
      ]);
    });

    test('are short only under the name of a password', () => {
      expect(secretsWith({ senhaDoCertificado: '123', tipo: 'A1', passphrase: '' })).toEqual([
        ['123', '$certificado.json:senhaDoCertificado'],
      ]);
    });
  });

  describe('a body that is sent', () => {
    test('to register a webhook has its address and its token, and nothing else', () => {
      const registration = { uri: 'https://receiver.example/a?b=c', token: 't-1', note: 'kept back' };
      expect(webhookBody(registration)).toEqual({ uri: 'https://receiver.example/a?b=c', token: 't-1' });
    });
  });
});

describe('profile people', () => {
  const folder = newFolder();

  const unknown = { cnpj: '99999998000111', cpf: '40490490000', nascimento: '31121985' };
  const consultas = { cnpj: '99999999000191', cpf: '03905334470', nascimento: '05031990', unknown };
  const empresa = {
    cnpj: '99999991000125',
    razaoSocial: 'CANÁRIA & FILHOS LTDA',
    email: 'maria@canaria.example',
    telefoneComercial: '11988887777',
    endereco: { logradouro: 'Rua das Acácias', complemento: '', cep: '01310100', uf: 'SP', cidade: 'São Paulo' },
  };
  const invoice = {
    emitente: { cpfCnpj: '99999991000125' },
    comprador: {
      documento: '111.444.777-35',
      nomeCliente: 'Iracema Kowalski',
      mail: 'ira@k.example',
      foneCel: '51981234567',
    },
    natureza: 'Venda de mercadoria',
    pedido: '12345678901',
    cliente: { nome: 'NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL', cpfCnpj: '39053344705' },
  };
  writeFileSync(join(folder, 'consultas.json'), JSON.stringify(consultas));
  writeFileSync(join(folder, 'empresa.json'), JSON.stringify(empresa));
  writeFileSync(join(folder, 'nf-e.autorizada.json'), JSON.stringify(invoice));
  writeFileSync(
    join(folder, 'verificacao.autorizada.xml'),
    '<n:dest><n:xNome>Zuleica Xavantes</n:xNome><CPF>52998224725</CPF><xLgr>Travessa A &amp; B</xLgr></n:dest>',
  );
  const mask = wordsMask(profilePeople(folder));

  test.each([
    '03905334470',
    '039.053.344-70',
    '039 053 344 70',
    '039053344-70',
    '3905334470',
    '404.904.900-00',
    '390.533.447-05',
    '52998224725',
    '529.982.247-25',
  ])('a CPF is known however it is written: %s', (text) => {
    expect(mask(`a ${text}, b`)).toMatch(/^a \$(?:cpf|CPF|cpfCnpj), b$/);
  });

  test.each([
    '05031990',
    '05/03/1990',
    '5/3/1990',
    '05-03-1990',
    '05.03.1990',
    '1990-03-05',
    '19900305',
    '1990/03/05',
    '03/05/1990',
    '05/03/90',
    '5-3-90',
    '050390',
    '1990-03-05T00:00:00.000Z',
    '5 de março de 1990',
    '05 MAR 1990',
    '5 mar. 1990',

    'March 5, 1990',
    '5 March 1990',
    'Mar 5, 1990',
    'March 5th, 1990',
    '05-Mar-1990',
    '5 de marco de 1990',
    '1990-3-5',
    '636595200',
    '636595200000',
    '636606000',
    '636606000000',
    '1990-03-04T21:00:00-03:00',
    '5031990',
    '05%2F03%2F1990',
    String.raw`05\/03\/1990`,
    '05&#47;03&#47;1990',
    '31/12/1985',
  ])('a birth date is known however it is written: %s', (text) => {
    expect(mask(`a ${text} b`)).toMatch(/^a \$nascimento\S* b$/);
  });

  test.each([
    ['Canária & Filhos Ltda', '$razaoSocial'],
    ['CANARIA &AMP; FILHOS LTDA', '$razaoSocial'],
    ['Maria@Canaria.example', '$email'],
    ['rua das acacias', '$logradouro'],
    ['01310-100', '$cep'],
    ['(11) 98888-7777', '$telefoneComercial'],
    ['+55 11 98888-7777', '$telefoneComercial'],
    ['+5511988887777', '$telefoneComercial'],
    ['XAVANTES, Zuleica', '$xNome'],
    ['zuleica.xavantes', '$xNome'],
    ['Travessa A & B', '$xLgr'],
  ])('names, addresses and telephones are known: %s', (text, stand) => {
    expect(mask(`a ${text}; b`)).toBe(`a ${stand}; b`);
  });

  test.each([
    '99999991000125',
    'SP',
    'São Paulo',
    'NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL',
    '10009003',
  ])('what is nobody’s is not: %s', (text) => {
    expect(mask(text)).toBe(text);
  });

  test.each([
    '11144477735',
    '111.444.777-35',
    'IRACEMA KOWALSKI',
    'Kowalski, Iracema',
    'ira@k.example',
    '(51) 98123-4567',
  ])('somebody under names that nobody knows is known by what stands there: %s', (text) => {
    expect(mask(`a ${text}, b`)).toMatch(/^a \$\w+, b$/);
  });

  test.each(['Venda de mercadoria', '12345678901'])('what is nobody’s stays: %s', (text) => {
    expect(mask(text)).toBe(text);
  });

  test('a folder that can’t be read has nobody', () => {
    expect(profilePeople(join(folder, 'nowhere'))).toEqual(new Map());
  });
});
