import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { credentialSettings, writeForeignProfile } from '../../../targets/testing/foreign/foreign-settings.ts';
import { startForeign } from '../../../targets/testing/foreign/foreign-server.ts';
import { type Canary, canariesOf, ofProfile } from './canaries.ts';
import { startTalkative, type Manners, type TalkativeServer } from './front.ts';
import { freePort } from '../free-port.ts';

/** A server that gives away what it knows, and the settings of whoever tests it with every credential and a profile of people. */
export interface Staged {
  readonly server: TalkativeServer;
  readonly canaries: readonly Canary[];
  readonly settings: Record<string, string>;
  /** A token of a control API that the server gives away as well. */
  readonly controlToken: string;
  stop(): Promise<void>;
}

/** Of an application, with what base64 and URLs have of marks. */
export const appSecret = 'Qz7/vX+k9=Wp~Re&4mTyYb_Hs2%41Jd.8cLg';

const controlToken = 'kB6-cTr9vLxQ2wZp';
const proxyPassword = 'pX7.rVw-3kQz9mLt';
const certificatePassword = 'cErt-9pLm2xKw7-Vz';

/** Starts one; its profile is written into that folder. */
export async function staged(profile: string, manners: Manners, secret = appSecret): Promise<Staged> {
  const foreign = await startForeign({ secret, settleMs: 100 });
  writeProfile(profile);
  const { active, ...others } = foreign.secrets;
  const named = new Map([
    ...Object.entries(others),
    ['control token', controlToken] as const,
    ['proxy password', proxyPassword] as const,
    ['certificate password', certificatePassword] as const,
  ]);
  const canaries = canariesOf({ app: active, others: named });
  const server = await startTalkative(foreign, canaries, manners);
  const place = `127.0.0.1:${await freePort()}`;
  const settings = {
    ...credentialSettings({ ...foreign, baseUrl: server.baseUrl }, profile),
    HTTP_PROXY: `http://integrador:${proxyPassword}@127.0.0.1:9`,
    NO_PROXY: '127.0.0.1',
    NFE_WEBHOOK_LISTEN: place,
    NFE_WEBHOOK_PUBLIC_URL: `http://${place}/hooks`,
    NFE_SETTLE_TIMEOUT: '2',
    NFE_NUM_RUNS: '2',
    NFE_SEED: '1729',
  };
  return {
    server,
    canaries,
    settings,
    controlToken,
    async stop() {
      await server.stop();
      await foreign.stop();
    },
  };
}

/** The profile that the right server takes, with people in it. */
function writeProfile(folder: string): void {
  writeForeignProfile(folder);
  const { cpf, nome, email, telefone, logradouro } = ofProfile;
  const destinatario = { cpf, nome, email, telefone, endereco: { logradouro } };
  const cabecalho = { natureza: 'Venda', destinatario };
  const produtos = [{ sku: 'RESMA-A4', quantidade: 2, preco: '15.70' }];
  const files = {
    'certificado.json': { file: 'pkcs12', fields: { pin: certificatePassword } },
    'nf-e.autorizada.json': { cabecalho, produtos },
    'nf-e.negada.json': { cabecalho: { ...cabecalho, irregular: true }, produtos },
    'nf-e.invalida.json': { cabecalho },
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
}
