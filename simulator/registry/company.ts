import type { Faker } from '@faker-js/faker';
import { activities, type Activity } from './activities.ts';
import { places, type Municipality } from './places.ts';
import { dayBetween, madeUpFrom, registryText } from './seeded.ts';
import { companySituation } from './situations.ts';

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
