import { envelopeRules } from '../simulator/gateway/envelope.ts';
import { languageRules } from '../simulator/gateway/language.ts';
import { requiredHeadersStage } from '../simulator/gateway/required-headers.ts';
import { timestampStage } from '../simulator/gateway/timestamp.ts';
import { tokenStage } from '../simulator/gateway/token.ts';
import { endpoint } from '../contract/endpoints.ts';
import { retirementRules } from '../simulator/gateway/retirement.ts';
import { echoRules } from '../simulator/endpoints/echo.ts';
import { referenceRules, type Rules } from '../simulator/rules.ts';
import { withStagesMoved } from './order.ts';

/** A simulator that differs from the reference in what the contract leaves open: the suite must let it pass. */
export interface Variant {
  readonly id: string;
  readonly rules: Rules;
}

const firstStages = new Set([requiredHeadersStage.name, timestampStage.name, tokenStage.name]);

/** Legal variations. */
export const variants: readonly Variant[] = [
  {
    id: 'variant.more-fields',
    rules: {
      ...referenceRules,
      envelope: {
        ...envelopeRules,
        error: (fields) => ({ traceId: 'a1b2', data: null, ...fields }),
        ok: (data, message) => ({ success: true, code: 0, message, data, traceId: 'a1b2' }),
      },
      echo: {
        ...echoRules,
        data: (data) => ({ ...data, environment: 'homologacao' }),
        serverTime: (now) => echoRules.serverTime(now).replace('Z', '+00:00'),
      },
      language: {
        ...languageRules,
        text: (name, language) => `${languageRules.text(name, language)} (${Date.now()})`,
      },
    },
  },
  {
    id: 'variant.other-order-of-401-codes',
    rules: {
      ...referenceRules,
      stages: [
        requiredHeadersStage,
        tokenStage,
        timestampStage,
        ...referenceRules.stages.filter(({ name }) => !firstStages.has(name)),
      ],
      language: {
        ...languageRules,
        text: (name, language) => (name === 'tokenInvalid' ? 'Token 401' : languageRules.text(name, language)),
      },
    },
  },
  {
    id: 'variant.other-order-of-403-codes',
    rules: {
      ...withStagesMoved(['subscription'], 'application'),
      retirement: {
        ...retirementRules,
        replacementText: (retired) => endpoint(retired.replacement).path.replaceAll(/\{\w+\}/g, '{id}'),
      },
      envelope: {
        ...envelopeRules,
        error: (fields) => (fields.code === 10009006 ? { ...fields, errorType: 3 } : fields),
      },
      language: {
        ...languageRules,
        text: (name, language) =>
          name === 'rateLimited' && language !== 'zh' ? '429' : languageRules.text(name, language),
      },
    },
  },
  {
    id: 'variant.limit-before-authorisation',
    rules: withStagesMoved(['rate-limit'], 'application'),
  },
];
