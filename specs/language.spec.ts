import { defaultLanguage, languageHeaders, languages, type Language } from '../contract/values.ts';
import { endpoint } from '../contract/endpoints.ts';
import type { NeedName } from '../contract/clause.ts';
import type { Call, Change } from '../contract/request.ts';
import type { Exchange } from '../trace/exchange.ts';
import { echoCall, nineRetiredCalls } from '../generators/calls.ts';
import { probesWithFlaw, plainFlaws, signChanged } from '../generators/flaws.ts';
import { plainProbes } from '../generators/probes.ts';
import { eachLanguageOnce, wishing } from '../generators/wished-language.ts';
import type { Caller } from '../targets/applications.ts';
import { check } from './kit/check.ts';
import { untilLimited } from './kit/lattice.ts';
import { inLanguage, compared, textsOf, type Texts } from './kit/texts.ts';
import type { Trial } from './kit/trial.ts';

/** Provokes some refusals of one status, each call asked for in a language, or in none. */
type Provoke = (t: Trial, ask: (call: Call) => Call) => Promise<Exchange[]>;

/** Longer than what many servers read of a body at once. */
const longCall = echoCall('language '.repeat(20_000));

/** Sends a long call, or a short one where whatever stands before the service takes none that long. */
async function sendLong(t: Trial, caller: Caller, ask: (call: Call) => Call, ...flaws: Change[]): Promise<Exchange> {
  const exchange = await t.send(caller, ask(longCall), ...flaws);
  return exchange.response?.status === 413 ? t.send(caller, ask(echoCall('language')), ...flaws) : exchange;
}

const provoke401: Provoke = async (t, ask) => {
  const caller = await t.caller();
  const answers: Exchange[] = [];
  // The last flaw is in the sign, which nobody can tell without the whole body.
  for (const flaw of plainFlaws) {
    const isLong = flaw === plainFlaws.at(-1);
    const send = (): Promise<Exchange> => t.send(caller, ask(echoCall('language')), flaw.apply);
    answers.push(await (isLong ? sendLong(t, caller, ask, flaw.apply) : send()));
  }
  return answers;
};

const wrongSign = signChanged('all zeros', () => '0'.repeat(32));

const pool = 'refusals';

/** A call of each endpoint. */
function onEachEndpoint(t: Trial): readonly Call[] {
  return plainProbes.map(({ callAs }) => callAs(t.target.address.xmlContentType));
}

const provoke410: Provoke = async (t, ask) => {
  const caller = await t.caller();
  const answers: Exchange[] = [];
  for (const { call } of nineRetiredCalls.slice(0, 1)) answers.push(await t.send(caller, ask(call)));
  return answers;
};

const provoke403: Provoke = async (t, ask) => {
  const caller = await t.callerIn('unsubscribed-application');
  return [await sendLong(t, caller, ask)];
};

const provokeEcho: Provoke = async (t, ask) => [await t.send(await t.caller(), ask(echoCall('language')))];

/** Languages are compared by all their texts together: single texts of two languages may be the same. */
function messageTexts(t: Trial, provoke: Provoke, ask: (call: Call) => Call): Promise<Texts> {
  return textsOf(t, async () => {
    const answers = await provoke(t, ask);
    for (const { response, request } of answers) {
      const isRefusal = response !== undefined && response.status >= 400;
      const isWanted = isRefusal || (request.target === endpoint('echo').path && response?.status === 200);
      t.presumes(isWanted, { expected: 'a message to read the language of', actual: String(response?.status) });
    }
    return answers;
  });
}

/** Any two languages differ in at least one text. */
async function differ(t: Trial, provoke: Provoke, header: string): Promise<void> {
  const texts = new Map<string, Language>();
  await t.each(languages, async (language) => {
    const { words, shown } = await messageTexts(t, provoke, (call) => inLanguage(call, header, language));
    t.holds(!texts.has(words), {
      expected: `texts in ${language} that differ from those in ${texts.get(words)}`,
      actual: shown,
      hint: `the ${header} header is not followed`,
    });
    texts.set(words, language);
  });
}

for (const [clause, header, flawedInChinese] of [
  ['language.language-header', 'Language', probesWithFlaw(0)],
  ['language.accept-language-header', 'Accept-Language', probesWithFlaw(1)],
] as const) {
  check(
    clause,
    `the texts of 401s in zh, en, pt and es differ as ${header} asks`,
    (t) => differ(t, provoke401, header),
    { pool },
  );
  check(
    clause,
    `the text of a 401 is on each endpoint in the language that ${header} asks for`,
    async (t) => {
      const caller = await t.caller();
      const { xmlContentType } = t.target.address;
      await t.each(flawedInChinese, async ({ probe, flaw }) => {
        await t.send(caller, probe.callAs(xmlContentType), flaw.apply);
      });
    },
    { pool },
  );
  check(
    clause,
    `the texts of 410s in zh, en, pt and es differ as ${header} asks`,
    (t) => differ(t, provoke410, header),
    { pool: 'retired paths' },
  );
}

check('language.language-header', 'of requests that come at once each is refused in its language', async (t) => {
  const caller = await t.caller();
  // Whoever comes last in one burst comes first in the other.
  const bursts = [languages, languages.toReversed()];
  await t.each(t.target.address.maxRps > 0 ? bursts.slice(0, 1) : bursts, async (wished) => {
    const calls = wished.map((language, nth) => {
      const header = languageHeaders[nth % languageHeaders.length] ?? 'Language';
      return inLanguage(echoCall(`${nth + 1} of four at once`), header, language);
    });
    await t.sendAtOnce(caller, calls, () => [wrongSign.apply]);
  });
});

/** What is said so in every language. */
const isInternational = (words: string): boolean => /^ok$/i.test(words);

/** Whether a success says nothing at all: only of a refusal does the contract want a text. */
const isSilent = (provoke: Provoke, shown: string): boolean => provoke === provokeEcho && shown === '';

/**
 * A single text may be the same in two languages that are near ("Token inválido" is right in two), but not in Chinese and
 * another one.
 */
async function chineseDiffers(t: Trial, provoke: Provoke): Promise<void> {
  await t.each(languageHeaders, async (header) => {
    const text = (language: Language): Promise<Texts> =>
      messageTexts(t, provoke, (call) => inLanguage(call, header, language));
    const chinese = await text('zh');
    const others = languages.filter((one) => one !== 'zh');
    await t.each(others, async (language) => {
      const { words, shown } = await text(language);
      t.holds(words !== chinese.words || isInternational(words) || isSilent(provoke, shown + chinese.shown), {
        expected: `a text in ${language} that differs from the Chinese one`,
        actual: chinese.shown,
        hint: `the ${header} header is not followed`,
      });
    });
  });
}

check('language.on-403', 'the text of a 403 in en, pt and es differs from that in zh', (t) =>
  chineseDiffers(t, provoke403),
);

/** Languages in turn, from a drawn one on: Chinese is told from all others, the rest by what an echo says in it. */
function inTurn(t: Trial): (at: number) => Language {
  const drawn = t.drawn(['zh', 'zh', 'en', 'es'] as const, 4);
  return (at) => drawn[at % drawn.length] ?? 'zh';
}

check(
  'language.on-403',
  'the text of a 403 is on each endpoint in the language that was asked for',
  async (t) => {
    const caller = await t.callerIn('unsubscribed-application');
    const isPaced = t.target.address.maxRps > 0;
    const language = inTurn(t);
    await t.each([...onEachEndpoint(t).entries()], async ([at, call]) => {
      const headers = isPaced ? languageHeaders.slice(at % 2, 1 + (at % 2)) : languageHeaders;
      for (const header of headers) await t.send(caller, inLanguage(call, header, language(at)));
    });
  },
  { pool: 'probes' },
);

const notCalling = [
  'disabled-application',
  'pending-application',
  'rejected-application',
  'application-of-disabled-integrator',
] as const;

check(
  'language.on-403',
  'the text of every 403 is in the language that was asked for',
  async (t) => {
    await t.each(notCalling, async (condition) => {
      const caller = await t.callerIn(condition);
      for (const wish of eachLanguageOnce) await t.send(caller, wishing(echoCall('language'), wish));
    });
  },
  { needs: ['chosen-application'] },
);

check('language.on-429', 'the text of a 429 in en, pt and es differs from that in zh', async (t) => {
  const caller = await t.callerIn('rate-limited-application');
  // A limit that fills up bit by bit lets a request pass now and then.
  await chineseDiffers(t, async (_, ask) => [await untilLimited(t, caller, ask(echoCall('language')))]);
  const [header] = languageHeaders;
  const calls = onEachEndpoint(t).filter((_, at) => t.target.address.maxRps === 0 || at % 2 === 0);
  const language = inTurn(t);
  for (const [at, call] of calls.entries()) await t.sendUnderLimit(caller, inLanguage(call, header, language(at)));
});

check(
  'language.on-echo',
  'the message of an echo in en, pt and es differs from that in zh',
  (t) => chineseDiffers(t, provokeEcho),
  { pool: 'echoes' },
);

/** Declares that a message reads without a language header as it does in Portuguese. */
function portugueseByDefault(what: string, provoke: Provoke, needs: readonly NeedName[]): void {
  check(
    'language.portuguese-by-default',
    `${what} without a language header has the Portuguese text`,
    async (t) => {
      const [header] = languageHeaders;
      const texts = (ask: (call: Call) => Call) => () => messageTexts(t, provoke, ask);
      const { isSame, one, other } = await compared(
        t,
        texts((call) => inLanguage(call, header, defaultLanguage)),
        () =>
          t.anew(async () => {
            // Who remembers the language of a caller answers in that of the request before.
            await t.send(await t.caller(), inLanguage(echoCall('language before'), header, 'zh'), wrongSign.apply);
            return messageTexts(t, provoke, (call) => call);
          }),
      );
      t.holds(isSame, { expected: `the texts of pt: ${one.shown}`, actual: other.shown });
    },
    { needs, pool },
  );
}

portugueseByDefault('a 401', provoke401, []);
portugueseByDefault('a 410', provoke410, []);
portugueseByDefault('a 403', provoke403, ['unsubscribed-application']);
portugueseByDefault('an echo', provokeEcho, []);
