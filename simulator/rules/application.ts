import type { CodeName } from '../../contract/values.ts';
import type { Application } from '../model.ts';

/** Which applications may not call at all. Section 5.3. */
export interface ApplicationRules {
  readonly isDisabled: (application: Application) => boolean;
  /** Whether its approval is pending or was refused. */
  readonly isNotEffective: (application: Application) => boolean;
  readonly isIntegratorDisabled: (application: Application) => boolean;
  readonly codes: Readonly<Record<'disabled' | 'notEffective' | 'integratorDisabled', CodeName>>;
  /** Why an application is refused, by these rules: the first reason that holds. */
  readonly refusal: (application: Application, rules: ApplicationRules) => CodeName | undefined;
}

export const applicationRules: ApplicationRules = {
  isDisabled: ({ state }) => state === 'disabled',
  isNotEffective: ({ state }) => state === 'pending' || state === 'rejected',
  isIntegratorDisabled: ({ integratorState }) => integratorState === 'disabled',
  codes: {
    disabled: 'applicationDisabled',
    notEffective: 'applicationNotEffective',
    integratorDisabled: 'integratorDisabled',
  },
  // In the order of the codes in section 7.2.
  refusal(application, { isDisabled, isNotEffective, isIntegratorDisabled, codes }) {
    if (isDisabled(application)) return codes.disabled;
    if (isNotEffective(application)) return codes.notEffective;
    return isIntegratorDisabled(application) ? codes.integratorDisabled : undefined;
  },
};
