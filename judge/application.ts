import { codes } from '../contract/codes.ts';
import { put, putToTheTest } from './aim.ts';
import type { ExchangePredicate } from './predicate.ts';
import { ofReason, onlyFor } from './standing.ts';

/** Applications and integrators that may not call. Sections 5.3 and 7.2. */
export const application: readonly ExchangePredicate[] = [
  put('application.disabled-refused', onlyFor('application.disabled-refused', codes.applicationDisabled)),
  put('application.pending-refused', onlyFor('application.pending-refused', codes.applicationNotEffective)),
  put('application.rejected-refused', ofReason('application.rejected-refused')),
  put(
    'application.integrator-disabled-refused',
    onlyFor('application.integrator-disabled-refused', codes.integratorDisabled),
  ),
  ...putToTheTest(['application.change-in-force']),
];
