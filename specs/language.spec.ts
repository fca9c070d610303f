import { languageHeaders, languages, type Language } from '../contract/values.ts';
import type { NeedName } from '../contract/clause.ts';
import type { Call, Change } from '../contract/request.ts';
import type { Exchange } from '../trace/exchange.ts';
import { echoCall, nineRetiredCalls } from '../generators/calls.ts';
import { probesWithFlaw, signChanged } from '../generators/flaws.ts';
import {
  inTellingLanguages,
  inFewLanguages,
  plainProbes,
  politeEndpoints,
  type WishingProbe,
} from '../generators/probes.ts';
import type { Condition } from '../targets/needs-met.ts';
import { wishing } from '../generators/wished-language.ts';
import type { Caller } from '../targets/applications.ts';
import { check } from './kit/check.ts';
import { untilLimited } from './kit/lattice.ts';
import { differ, inLanguage, isPortuguese, messageTexts, provoke401s, type Provoke, type Texts } from './kit/texts.ts';
import type { Trial } from './kit/trial.ts';

/** Longer than what many servers read of a body at once. */
const longCall = echoCall('language '.repeat(20_000));

/** Sends a long call, or a short one where whatever stands before the service takes none that long. */
async function sendLong(t: Trial, caller: Caller, ask: (call: Call) => Call, ...flaws: Change[]): Promise<Exchange> {
  const exchange = await t.send(caller, ask(longCall), ...flaws);
  return exchange.response?.status === 413 ? t.send(caller, ask(echoCall('language')), ...flaws) : exchange;
}

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

for (const [clause, header, flawedInChinese] of [
  ['language.language-header', 'Language', probesWithFlaw(0)],
  ['language.accept-language-header', 'Accept-Language', probesWithFlaw(1)],
] as const) {
  check(
    clause,
    `the texts of 401s in zh, en, pt and es differ as ${header} asks`,
    async (t) => {
      // Nobody can tell that a sign is wrong without the whole body.
      await sendLong(t, await t.caller(), (call) => inLanguage(call, header, 'zh'), wrongSign.apply);
      await differ(t, header, ...provoke401s(t, header));
    },
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
    (t) => differ(t, header, provoke410),
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
  const others = languages.filter((one) => one !== 'zh');
  await t.each([...languageHeaders.entries()], async ([nth, header]) => {
    const text = (language: Language): Promise<Texts> =>
      messageTexts(t, provoke, (call) => inLanguage(call, header, language));
    const chinese = await text('zh');
    // Where manners are asked for, one more language shows that the other header is followed, too.
    const some = t.target.address.maxRps > 0 && nth > 0 ? t.drawn(others, 1) : others;
    await t.each(some, async (language) => {
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

/** Asks as an application in that condition, in the language of each. */
async function asksIn(t: Trial, condition: Condition, asked: readonly WishingProbe[]): Promise<void> {
  const caller = await t.callerIn(condition);
  await t.each(asked, async ({ probe, wish }) => {
    await t.send(caller, wishing(probe.callAs(t.target.address.xmlContentType), wish));
  });
}

check(
  'language.on-403',
  'the text of a 403 is on each endpoint in the language that was asked for',
  async (t) => {
    await asksIn(t, 'unsubscribed-application', inTellingLanguages);
    if (t.target.address.maxRps > 0) return;
    const language = inTurn(t);
    const caller = await t.callerIn('unsubscribed-application');
    await t.each([...onEachEndpoint(t).entries()], async ([at, call]) => {
      for (const header of languageHeaders) await t.send(caller, inLanguage(call, header, language(at)));
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
    await t.each([...notCalling.entries()], async ([nth, condition]) => {
      await asksIn(t, condition, inFewLanguages(nth).slice(0, politeEndpoints));
    });
  },
  { needs: ['chosen-application'], pool: 'probes' },
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
function portugueseByDefault(what: string, provoke: (t: Trial) => Provoke, needs: readonly NeedName[]): void {
  check(
    'language.portuguese-by-default',
    `${what} without a language header has the Portuguese text`,
    // Who remembers the language of a caller answers in that of the request before.
    (t) =>
      isPortuguese(t, provoke(t), async () => {
        await t.send(
          await t.caller(),
          inLanguage(echoCall('language before'), languageHeaders[0], 'zh'),
          wrongSign.apply,
        );
      }),
    { needs, pool },
  );
}

portugueseByDefault('a 401', (t) => provoke401s(t, languageHeaders[0])[0], []);
portugueseByDefault('a 410', () => provoke410, []);
portugueseByDefault('a 403', () => provoke403, ['unsubscribed-application']);
portugueseByDefault('an echo', () => provokeEcho, []);
