import lockfile from '../../package-lock.json' with { type: 'json' };
import projectPackage from '../../package.json' with { type: 'json' };

/** Why each library is there that the suite or the simulator loads; the compiler misses the reason of a new one. */
const reasons: Readonly<Record<keyof typeof projectPackage.dependencies, string>> = {
  '@faker-js/faker': 'names, addresses and goods of generated invoices',
  ajv: 'checks bodies, results and traces by their JSON Schemas',
  busboy: 'parses the multipart upload of a certificate, in the simulator',
  'bwip-js': 'draws the bar code of a DANFE',
  dotenv: 'reads the settings of a .env file',
  entities: 'reads the escapes of HTML and XML in which a secret might hide',
  'fast-check': 'draws the cases of properties, and makes a failing one smaller',
  'jsonc-parser': 'says at which line the JSON of a profile is wrong',
  'libxml2-wasm': 'parses and canonicalises XML, in the simulator',
  negotiator: 'reads Accept-Language, in the simulator',
  'node-forge': 'opens PKCS#12 files of every age, in the simulator',
  open: 'opens the report in the browser',
  'p-limit': 'keeps requests that are under way at once to NFE_BURST',
  pdfkit: 'writes the PDF of a DANFE',
  rolldown: 'puts the script of the report into its page',
  saxes: 'reads XML as a stream, where a document may be hostile or broken',
  undici: 'sends requests, and shows each connection and byte of them',
  vitest: 'runs the checks of a run',
};

/** What a package says of its licence in the lockfile; old ones say it in a form that npm leaves out there. */
const oldForm: Readonly<Record<string, string>> = { busboy: 'MIT' };

function licenceOf(name: string): string {
  const entry = Object.entries(lockfile.packages).find(([path]) => path === `node_modules/${name}`)?.[1];
  const licence = entry && 'license' in entry ? entry.license : undefined;
  return licence ?? oldForm[name] ?? 'unknown';
}

/** The libraries that the suite or the simulator loads, as the table that docs/ shows. */
export function dependenciesTable(): string {
  const rows = Object.entries(reasons).map(([name, reason]) => {
    const version = Object.entries(projectPackage.dependencies).find(([one]) => one === name)?.[1] ?? '';
    return `| ${name} | ${version} | ${licenceOf(name)} | ${reason} |`;
  });
  return ['| library | version | licence | why |', '|---|---|---|---|', ...rows].join('\n');
}
