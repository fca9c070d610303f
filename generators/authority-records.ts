import fc from 'fast-check';
import type { FiscalState } from '../contract/values.ts';
import { keptText } from './text.ts';

/** What the tax authority may have on record of an invoice, in all that a verdict tells of it. Section 2.4. */
export interface GeneratedRecord {
  readonly status: FiscalState;
  readonly cStat: string;
  readonly xMotivo: string;
  readonly protocolo: { readonly numero: string; readonly digestValue: string } | null;
  readonly dataAutorizacao: string | null;
  readonly eventos: Record<string, unknown>[];
}

/** Longest return text of the tax authority, and longest correction. */
const [longestReturn, longestCorrection] = [255, 1000];

/** Any such record of an invoice in one of these states: texts from all planes, times in zones of Brazil and in UTC, up to 24 events. */
export function authorityRecord(states: readonly FiscalState[]): fc.Arbitrary<GeneratedRecord> {
  const protocolo = fc.record({
    // Digits, but a text: a zero in front is part of it.
    numero: fc.oneof(fc.stringMatching(/^[1-9]\d{14}$/), fc.stringMatching(/^0\d{14}$/)),
    digestValue: fc.stringMatching(/^[A-Za-z\d+/]{27}=$/),
  });
  return fc.record({
    status: fc.constantFrom(...states),
    cStat: fc.stringMatching(/^[1-9]\d{2,3}$/),
    xMotivo: fc.oneof(
      { weight: 3, arbitrary: keptText(longestReturn) },
      { weight: 1, arbitrary: spaced() },
      { weight: 1, arbitrary: rejection() },
    ),
    protocolo: fc.option(protocolo, { freq: 4 }),
    dataAutorizacao: fc.option(zonedTime(), { freq: 4 }),
    eventos: fc.oneof(
      { weight: 1, arbitrary: fc.array(event(), { maxLength: 4 }) },
      { weight: 1, arbitrary: fc.array(event(), { minLength: 21, maxLength: 24 }) },
    ),
  });
}

/** A text with spaces at its ends, which are part of it. */
function spaced(): fc.Arbitrary<string> {
  return keptText(longestReturn - 4).map((text) => ` ${text}  `);
}

/** A text as the authority writes most of them: with what it is in front, and the number of its receipt in brackets behind. */
function rejection(): fc.Arbitrary<string> {
  return keptText(longestReturn - 40).map((text) => `Rejeição: ${text} [nRec:351000000000017]`);
}

/**
 * Where calendars go wrong: leap days, the ends and the beginnings of years, a summer in which Brazil had another time; and hours at
 * which a zone makes another day of it.
 */
const tellingDays = ['2020-02-29', '2024-02-29', '2018-12-31', '2021-01-01'];
const tellingHours = ['00:00:00', '02:59:59', '12:00:00', '23:59:59'];

/** A time of the last years, to the second, with its zone. */
function zonedTime(): fc.Arbitrary<string> {
  const seconds = fc.integer({
    min: Date.parse('2020-01-01T00:00:00Z') / 1000,
    max: Date.parse('2026-01-01T00:00:00Z') / 1000,
  });
  const any = fc.tuple(seconds, fc.constantFrom(...zones)).map(([at, hours]) => zoned(at + hours * 3600, hours));
  const telling = fc
    .tuple(fc.constantFrom(...tellingDays), fc.constantFrom(...tellingHours), fc.constantFrom(...zones))
    .map(([day, hour, hours]) => zoned(Date.parse(`${day}T${hour}Z`) / 1000, hours));
  return fc.oneof(any, telling);
}

/** Hours of UTC in which Brazil lives, and UTC itself. */
const zones = [0, -2, -3, -4, -5];

function zoned(localSeconds: number, hours: number): string {
  const local = new Date(localSeconds * 1000).toISOString().slice(0, 19);
  return hours === 0 ? `${local}Z` : `${local}-0${-hours}:00`;
}

/** A cancellation or a correction letter. */
function event(): fc.Arbitrary<Record<string, unknown>> {
  return fc.record({
    tpEvento: fc.constantFrom('110110', '110111'),
    descEvento: keptText(60),
    nSeqEvento: fc.integer({ min: 1, max: 20 }),
    xCorrecao: keptText(longestCorrection),
    detEvento: fc.record({ versao: fc.constant('1.00'), condUso: fc.array(keptText(20), { maxLength: 2 }) }),
  });
}
