import { createServer, type RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { withStages } from '../../mutants/mutant.ts';
import { stagesOf } from '../../simulator/gateway/gateway.ts';
import type { Stage } from '../../simulator/gateway/stages.ts';
import { refuse } from '../../simulator/rules/envelope.ts';
import { referenceRules } from '../../simulator/rules/rules.ts';
import { mutantRules, npmTest, withForeign, withServer } from '../testing/runs.ts';

/** A server that gives away what it was sent in every spelling, and fails most checks. */
const leaky = withStages(
  referenceRules,
  stagesOf(referenceRules).map((stage): Stage => ({
    name: stage.name,
    answer: async (request, context) => {
      const { rules, sent } = context;
      const bytes = Buffer.from(sent.token);
      const spellings = [
        sent.token,
        bytes.toString('base64'),
        bytes.toString('hex'),
        Buffer.from(`x${sent.token}`).toString('base64url'),
        encodeURIComponent(sent.token),
      ].join(' ');
      const envelope = { ...rules.envelope, message: (text: string) => `${text} ${spellings}` };
      const reply = await stage.answer(request, { ...context, rules: { ...rules, envelope } });
      return stage.name === 'endpoint' || reply === undefined
        ? reply
        : refuse('headersMissing', request, { ...rules, envelope });
    },
  })),
);

/** Requests of each kind: JSON, XML, a form with a file, none; and each way of refusing them. */
const someTopics = [
  'echo',
  'token',
  'signature',
  'certificado-association',
  'nfe-verification',
  'cpf-lookup',
  'errors',
].flatMap((topic) => ['--topic', topic]);

test.concurrent('no secret shows in anything that a run prints or writes, in any spelling, however much the target gives away', async () => {
  await withForeign(leaky, async (settings) => {
    const { status, everything, results } = await npmTest({ ...settings, NFE_NUM_RUNS: '1' }, ...someTopics);
    expect(status).toBe(1);
    expect(results?.counts.failed).toBeGreaterThan(10);
    expect(everything.includes('$NFE_APP_SECRET')).toBe(true);
    const secret = settings['NFE_APP_SECRET'] ?? '';
    const bytes = Buffer.from(secret);
    /** Without the characters at its ends that also depend on what stands beside the secret. */
    const core = (text: string): string => text.slice(4, -6);
    const spellings = [secret, encodeURIComponent(secret), bytes.toString('hex'), bytes.toString('hex').toUpperCase()];
    const shifted = ['', 'x', 'xx'].map((before) => Buffer.from(before + secret).toString('base64'));
    for (const spelling of [...spellings, ...shifted])
      expect(everything.includes(core(spelling)), spelling).toBe(false);
  });
});

test.concurrent('nothing personal and no live link shows in anything that a run on a sandbox prints or writes', async () => {
  const canaries = ['Maria Canária da Silva', 'Rua dos Canários', '39053344705', 'f3a9c1d27be84f60a5d2'];
  const [nome, logradouro, cpf, token] = canaries;
  const answer = JSON.stringify({
    success: true,
    code: 10009003,
    message: `CPF ${cpf}`,
    nome,
    endereco: { logradouro },
    linkDanfe: `https://danfe.example/d/${token}?token=${token}`,
  });
  // What it has no path for it refuses: it is no portal.
  const talkative: RequestListener = (incoming, outgoing) => {
    const isNowhere = incoming.url?.includes('/nowhere') === true;
    incoming.resume().on('end', () => outgoing.writeHead(isNowhere ? 404 : 200).end(answer));
  };
  await withServer(talkative, async (baseUrl) => {
    const settings = { NFE_BASE_URL: baseUrl, NFE_APP_SECRET: 'any-secret', NFE_MAX_RPS: '0', NFE_NUM_RUNS: '1' };
    const { everything, results } = await npmTest(settings, ...someTopics, '--topic', 'nfe-query');
    expect(results?.counts.failed).toBeGreaterThan(10);
    expect(everything.includes('… 22 letters ~')).toBe(true);
    for (const canary of canaries) expect(everything.includes(canary), canary).toBe(false);
  });
});

test.concurrent('no live link and no webhook token shows in the evidence of a delivery', async () => {
  await withForeign(mutantRules('issuance-callback.numbers-for-texts'), async (settings) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const listen = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    await new Promise((resolve) => server.close(resolve));
    const more = { NFE_WEBHOOK_LISTEN: listen, NFE_WEBHOOK_PUBLIC_URL: `http://${listen}` };
    const { status, everything } = await npmTest({ ...settings, ...more }, '--topic', 'issuance-callback');
    expect(status).toBe(1);
    expect(everything).toContain('/documentos/$linkToken');
    expect(everything).not.toMatch(/\/documentos\/[\w-]{20,}/);
    expect(everything).toContain('$WEBHOOK_TOKEN');
    expect(everything).not.toContain(settings['NFE_APP_SECRET']);
  });
});
