import { isAcceptedBy, isFor } from './answers.ts';
import { bare, status200 } from './bare.ts';
import { member, shown, type ExchangePredicate } from './predicate.ts';
import { sentJson } from './request.ts';

/** Answers to the registration of an address. Sections 4.2 and 6.5. */
export const webhookUrl: readonly ExchangePredicate[] = [
  bare('webhook-url.registration-bare', 'webhook-registration'),
  status200('webhook-url.registration-status-200', 'webhook-registration'),
  {
    clause: 'webhook-url.absolute-http-only',
    judge(record) {
      if (!isFor(record, 'webhook-registration')) return undefined;
      const uri = member(sentJson(record), 'uri');
      if (typeof uri !== 'string' || /^\s*https?:/i.test(uri)) return undefined;
      if (record.status >= 400 && record.status <= 499 && record.isRightlySigned) return 'holds';
      if (!isAcceptedBy(record, 'webhook-registration')) return undefined;
      return { expected: `4xx for ${shown(uri)}`, actual: String(record.status) };
    },
  },
];
