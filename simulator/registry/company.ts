import type { Faker } from '@faker-js/faker';
import { companySituation, dayBetween, madeUpFrom, registryText } from './made-up.ts';

/** What the branches of a company have in common. */
interface Root {
  readonly name: string;
  readonly tradeName: string;
  readonly activity: Activity;
  readonly others: readonly Activity[];
  readonly legalForm: LegalForm;
  readonly share: number;
}

/** A company as the federal registry shows it: made up, and always the same for the same CNPJ. Section 4.1. */
export async function companyOf(cnpj: string): Promise<object> {
  const root = await madeUpFrom(`empresa ${cnpj.slice(0, 8)}`, rootOf);
  return madeUpFrom(`estabelecimento ${cnpj}`, (faker) => branchOf(faker, cnpj, root));
}

function rootOf(faker: Faker): Root {
  const [activity, ...others] = faker.helpers.arrayElements(activities, { min: 2, max: 4 });
  const family = registryText(faker.person.lastName());
  const legalForm = faker.helpers.arrayElement(legalForms);
  if (!activity) throw new Error('a company is to do something');
  return {
    name: `${family} ${registryText(faker.person.lastName())} ${activity.inName} ${legalForm.suffix}`,
    tradeName: `${activity.inName} ${family}`,
    activity,
    others,
    legalForm,
    share: faker.number.int({ min: 10, max: 5000 }) * 1000,
  };
}

function branchOf(faker: Faker, cnpj: string, root: Root): object {
  const place = faker.helpers.arrayElement(places);
  const opened = dayBetween(faker, '1995-01-01', '2023-12-31');
  const situation = companySituation(cnpj);
  return {
    ni: cnpj,
    tipoEstabelecimento: cnpj.slice(8, 12) === '0001' ? '1' : '2',
    nomeEmpresarial: root.name,
    nomeFantasia: root.tradeName,
    situacaoCadastral: {
      ...situation,
      data: situation.motivo === '' ? opened : dayBetween(faker, '2024-01-01', '2025-12-31'),
    },
    naturezaJuridica: { codigo: root.legalForm.codigo, descricao: root.legalForm.descricao },
    dataAbertura: opened,
    cnaePrincipal: activityView(root.activity),
    cnaeSecundarias: root.others.map(activityView),
    endereco: addressOf(faker, place),
    municipioJurisdicao: { codigo: place.codigo, descricao: place.descricao },
    telefones: [{ ddd: place.ddd, numero: `3555${faker.string.numeric(4)}` }],
    correioEletronico: 'contato@empresa-ficticia.example',
    capitalSocial: root.share,
  };
}

function addressOf(faker: Faker, { codigo, descricao, uf, cep }: Municipality): object {
  return {
    tipoLogradouro: faker.helpers.arrayElement(['RUA', 'AVENIDA', 'ALAMEDA', 'PRACA']),
    logradouro: registryText(faker.person.fullName()),
    numero: String(faker.number.int({ min: 1, max: 3000 })),
    complemento: faker.helpers.arrayElement(['', '', 'SALA 12', 'LOJA 3', 'ANDAR 2']),
    cep: cep + faker.string.numeric(4),
    bairro: faker.helpers.arrayElement(['CENTRO', 'JARDIM FICTICIO', 'VILA DOS TESTES', 'DISTRITO INDUSTRIAL']),
    municipio: { codigo, descricao },
    uf,
    pais: { codigo: '105', descricao: 'BRASIL' },
  };
}

function activityView({ codigo, descricao }: Activity): object {
  return { codigo, descricao };
}

interface LegalForm {
  readonly codigo: string;
  readonly descricao: string;
  readonly suffix: string;
}

const legalForms: readonly LegalForm[] = [
  { codigo: '2062', descricao: 'Sociedade Empresária Limitada', suffix: 'LTDA' },
  { codigo: '2054', descricao: 'Sociedade Anônima Fechada', suffix: 'S.A.' },
];

/** What a made-up company does. */
interface Activity {
  /** CNAE subclass: seven digits. */
  readonly codigo: string;
  readonly descricao: string;
  /** How it stands in the name of the company. */
  readonly inName: string;
}

/** What made-up companies do. */
const activities: readonly Activity[] = [
  {
    codigo: '4711302',
    descricao: 'Comércio varejista de mercadorias em geral, com predominância de produtos alimentícios - supermercados',
    inName: 'SUPERMERCADOS',
  },
  { codigo: '4761003', descricao: 'Comércio varejista de artigos de papelaria', inName: 'PAPELARIA' },
  {
    codigo: '4781400',
    descricao: 'Comércio varejista de artigos do vestuário e acessórios',
    inName: 'CONFECCOES',
  },
  { codigo: '5611201', descricao: 'Restaurantes e similares', inName: 'RESTAURANTE' },
  {
    codigo: '6201501',
    descricao: 'Desenvolvimento de programas de computador sob encomenda',
    inName: 'SISTEMAS',
  },
  { codigo: '6920601', descricao: 'Atividades de contabilidade', inName: 'CONTABILIDADE' },
  {
    codigo: '4520001',
    descricao: 'Serviços de manutenção e reparação mecânica de veículos automotores',
    inName: 'OFICINA MECANICA',
  },
  {
    codigo: '8211300',
    descricao: 'Serviços combinados de escritório e apoio administrativo',
    inName: 'SERVICOS ADMINISTRATIVOS',
  },
];

/** A municipality with what addresses there have in common. */
interface Municipality {
  /** IBGE code. */
  readonly codigo: string;
  readonly descricao: string;
  readonly uf: string;
  /** The first four digits of its postcodes. */
  readonly cep: string;
  readonly ddd: string;
}

/** Where made-up companies have their seat. */
const places: readonly Municipality[] = [
  { codigo: '3550308', descricao: 'SAO PAULO', uf: 'SP', cep: '0131', ddd: '11' },
  { codigo: '3304557', descricao: 'RIO DE JANEIRO', uf: 'RJ', cep: '2004', ddd: '21' },
  { codigo: '3106200', descricao: 'BELO HORIZONTE', uf: 'MG', cep: '3013', ddd: '31' },
  { codigo: '4106902', descricao: 'CURITIBA', uf: 'PR', cep: '8002', ddd: '41' },
  { codigo: '4205407', descricao: 'FLORIANOPOLIS', uf: 'SC', cep: '8801', ddd: '48' },
  { codigo: '4314902', descricao: 'PORTO ALEGRE', uf: 'RS', cep: '9002', ddd: '51' },
  { codigo: '5300108', descricao: 'BRASILIA', uf: 'DF', cep: '7030', ddd: '61' },
  { codigo: '5208707', descricao: 'GOIANIA', uf: 'GO', cep: '7401', ddd: '62' },
  { codigo: '2927408', descricao: 'SALVADOR', uf: 'BA', cep: '4002', ddd: '71' },
  { codigo: '2611606', descricao: 'RECIFE', uf: 'PE', cep: '5003', ddd: '81' },
  { codigo: '2304400', descricao: 'FORTALEZA', uf: 'CE', cep: '6003', ddd: '85' },
  { codigo: '1501402', descricao: 'BELEM', uf: 'PA', cep: '6601', ddd: '91' },
  { codigo: '1302603', descricao: 'MANAUS', uf: 'AM', cep: '6901', ddd: '92' },
];
