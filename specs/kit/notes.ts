import type { PlatformCode } from '../../contract/codes.ts';
import type { Exchange } from '../../client/transport.ts';
import type { ObservedLadder } from '../../schemas/results.ts';
import { allFields, type VerdictFields } from '../../schemas/verdict-fields.ts';
import type { Target } from '../../targets/target.ts';
import { exchangeRecord } from '../../trace/records.ts';
import { sharing } from './exchanges.ts';
import type { TrialRecord } from './trial-record.ts';

/** A fault of a request, with what it is answered with when it is alone. */
export interface ObservedFault {
  readonly name: string;
  readonly refusal: PlatformCode;
}

/** What a check notes that no single case shows. */
export interface Notes {
  /** Notes which of the faults of a request its answer was for. */
  observe(faults: readonly ObservedFault[], answered: ObservedFault): void;
  /** Notes the fields in `data` of verification events, for later runs to compare. */
  fields(found: VerdictFields): void;
  /** Notes when a delivery that was not acknowledged was tried again. */
  ladder(seen: ObservedLadder): void;
  /** Puts an exchange that another check has made among those of this one, which judges it. */
  recall(exchange: Exchange): void;
  /** Uses, or makes, what all checks of a run share under that name: what that costs is not this check's own. */
  sharing<T>(name: string, make: () => Promise<T>): Promise<T>;
}

/** Retries of one delivery that are noted, the first ones: many more than are planned. */
const mostRetries = 100;

/** Notes that go into the record of a check. */
export function notesIn(record: TrialRecord, target: Target): Notes {
  return {
    observe(faults, { name: first, refusal }) {
      for (const { name: second, refusal: other } of faults) {
        if (second === first) continue;
        record.order.set(`${first} > ${second}`, { first, second, firstCode: refusal.code, secondCode: other.code });
      }
    },
    fields(found) {
      record.verdictFields = allFields([record.verdictFields, found]);
    },
    ladder(seen) {
      record.ladders.push({ ...seen, retriesSeconds: seen.retriesSeconds.slice(0, mostRetries) });
    },
    recall(exchange) {
      record.exchanges.push(exchange);
      record.recorder.recall(exchangeRecord(exchange));
    },
    sharing: (name, make) => sharing(target, record, name, make),
  };
}
