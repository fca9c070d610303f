import { numberLookupMutants } from './cnpj-lookup.ts';
import { isBornOn } from '../simulator/registry/made-up.ts';
import { endpointMutants, type Mutant } from './mutant.ts';

const { answered } = endpointMutants('cpf-lookup');

/** Wrong lookups of a CPF. */
export const cpfLookupMutants: readonly Mutant[] = [
  ...numberLookupMutants('cpf-lookup'),
  answered('another-day-refused-by-an-array', ['cpf-lookup.unknown'], (reply, { path }) => {
    const [cpf = '', nascimento = ''] = path.split('/').slice(-2);
    return isBornOn(cpf, nascimento) ? reply : { status: 404, body: [{ codigo: '404', mensagem: 'Não encontrado' }] };
  }),
  answered('leap-days-as-500', ['errors.own-statuses'], (reply, { path }) =>
    /\/2902\d{4}$/.test(path) ? { status: 500, body: { code: 1, message: 'DateTimeException' } } : reply,
  ),
  answered('impossible-dates-as-500', ['errors.own-statuses'], (reply, { path }) =>
    /\/3102\d{4}$/.test(path) ? { status: 500, body: { error: 'DateTimeException' } } : reply,
  ),
  // Summer time began in Brazil on that day, at midnight, which it did not have.
  answered('days-without-midnight-as-500', ['errors.own-statuses'], (reply, { path }) =>
    path.endsWith('/15101995') ? { status: 500, body: { error: 'IllegalInstantException' } } : reply,
  ),
];
