import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Certificate, Empresa, EmpresaData } from '../model.ts';
import { Remembered, textOf, type Row, nullableTextOf } from './rows.ts';

/** Where companies are kept. A data file holds their private keys in clear. */
export const empresaTables = `
  CREATE TABLE empresas (
    empresa_id TEXT PRIMARY KEY,
    integrator_id TEXT NOT NULL,
    cnpj TEXT NOT NULL,
    data TEXT NOT NULL, -- JSON
    certificate TEXT, -- JSON; NULL: none yet
    UNIQUE (integrator_id, cnpj)
  ) STRICT;
`;

/** The companies that this database keeps. */
export function openEmpresas(database: DatabaseSync) {
  const insert = database.prepare(
    'INSERT INTO empresas VALUES (?, ?, ?, ?, NULL) ON CONFLICT (integrator_id, cnpj) DO NOTHING',
  );
  const find = database.prepare('SELECT * FROM empresas WHERE integrator_id = ? AND empresa_id = ?');
  const associate = database.prepare('UPDATE empresas SET certificate = ? WHERE empresa_id = ?');
  const known = new Remembered<Empresa>(database);
  return {
    /** Keeps a company; `undefined` when the integrator has one with that CNPJ already. */
    create(integratorId: string, data: EmpresaData): Empresa | undefined {
      const empresaId = randomUUID().toUpperCase();
      const { changes } = insert.run(empresaId, integratorId, data.cnpj, JSON.stringify(data));
      return changes === 0 ? undefined : { empresaId, integratorId, data };
    },
    /** A company of that integrator. */
    find: (integratorId: string, empresaId: string): Empresa | undefined =>
      known.of(JSON.stringify([integratorId, empresaId]), () => {
        const row = find.get(integratorId, empresaId);
        return row && empresaOf(row);
      }),
    /** Gives a company its certificate, in place of the one it may have. */
    associate(empresaId: string, certificate: Certificate): void {
      associate.run(JSON.stringify(certificate), empresaId);
      known.forget();
    },
  };
}

function empresaOf(row: Row): Empresa {
  const data = parseData(textOf(row, 'data'));
  const certificate = nullableTextOf(row, 'certificate');
  return {
    empresaId: textOf(row, 'empresa_id'),
    integratorId: textOf(row, 'integrator_id'),
    data,
    ...(certificate === null ? {} : { certificate: parseCertificate(certificate) }),
  };
}

// What this store wrote as JSON comes back as it was.
const parseData: (json: string) => EmpresaData = JSON.parse;
const parseCertificate: (json: string) => Certificate = JSON.parse;
