import { faker } from '@faker-js/faker/locale/pt_BR';
import fc from 'fast-check';
import { cnpj, cpf, nascimento, ufCodes, ufs, type Uf } from '../domain.ts';

/** Where somebody lives, as Brazilians write it. */
interface Endereco {
  readonly logradouro: string;
  readonly numero: string;
  readonly bairro: string;
  readonly cidade: string;
  readonly uf: Uf;
  /** Eight digits. */
  readonly cep: string;
  readonly codigoIbgeUf: string;
}

/** An invented company. */
interface Company {
  readonly razaoSocial: string;
  readonly nomeFantasia: string;
  readonly cnpj: string;
  readonly email: string;
  readonly telefone: string;
  readonly endereco: Endereco;
}

/** An invented person. */
interface Person {
  readonly nome: string;
  readonly cpf: string;
  readonly nascimento: string;
  readonly email: string;
  readonly telefone: string;
  readonly endereco: Endereco;
}

/** A company that does not exist, with a right CNPJ and a mail address that reaches nobody. */
export function company(): fc.Arbitrary<Company> {
  return fc.tuple(cnpj(), fakerSeed()).map(([number, seed]) => inventedCompany(number, seed));
}

/** A person who does not exist, with a right CPF, a birth date and a mail address that reaches nobody. */
export function person(): fc.Arbitrary<Person> {
  return fc.tuple(cpf(), nascimento(), fakerSeed()).map(([number, birth, seed]) => inventedPerson(number, birth, seed));
}

function inventedCompany(number: string, seed: number): Company {
  faker.seed(seed);
  const name = faker.company.name();
  const [nomeFantasia = name] = name.split(/[ ,-]/);
  return { razaoSocial: `${name} Ltda.`, nomeFantasia, cnpj: number, ...contact(), endereco: endereco() };
}

function inventedPerson(number: string, birth: string, seed: number): Person {
  faker.seed(seed);
  return { nome: faker.person.fullName(), cpf: number, nascimento: birth, ...contact(), endereco: endereco() };
}

/** Unbiased and without shrinking: neighbouring seeds have nothing in common. */
function fakerSeed(): fc.Arbitrary<number> {
  return fc.noShrink(fc.noBias(fc.nat()));
}

function contact() {
  return { email: faker.internet.exampleEmail().toLowerCase(), telefone: faker.phone.number() };
}

function endereco(): Endereco {
  const uf = faker.helpers.arrayElement(ufs);
  return {
    logradouro: faker.location.street(),
    numero: faker.location.buildingNumber(),
    bairro: `${faker.helpers.arrayElement(['Jardim', 'Parque', 'Vila'])} ${faker.person.lastName()}`,
    cidade: faker.location.city(),
    uf,
    cep: faker.location.zipCode('########'),
    codigoIbgeUf: ufCodes[uf],
  };
}
