import type { ClauseId } from '../contract/catalogue.ts';
import { member } from '../schemas/member.ts';
import { envelopeRules } from '../simulator/gateway/envelope.ts';
import { languageRules } from '../simulator/gateway/language.ts';
import { requiredHeadersStage } from '../simulator/gateway/required-headers.ts';
import { timestampStage } from '../simulator/gateway/timestamp.ts';
import { tokenStage } from '../simulator/gateway/token.ts';
import { endpoint } from '../contract/endpoints.ts';
import { retirementRules } from '../simulator/gateway/retirement.ts';
import { echoRules } from '../simulator/endpoints/echo.ts';
import { referenceRules, type Rules } from '../simulator/rules.ts';
import { findRoute } from '../simulator/endpoints/router.ts';
import { nfeVerificationRules } from '../simulator/endpoints/nfe-verification.ts';
import type { Stage } from '../simulator/gateway/stage.ts';
import { parseJsonObject } from '../simulator/http/json.ts';
import type { Reply } from '../simulator/http/reply.ts';
import { verdictRules } from '../simulator/verification/verdict.ts';
import { issuanceCallbackRules } from '../simulator/webhooks/issuance-callback.ts';
import { verdictEventRules } from '../simulator/webhooks/verdict-event.ts';
import { webhookDeliveryRules, type WebhookDeliveryRules } from '../simulator/webhooks/webhook-delivery.ts';
import { withMembers } from './mutant.ts';
import { withStagesMoved } from './order.ts';

/** A simulator that differs from the reference in what the contract leaves open: the suite must let it pass. */
export interface Variant {
  readonly id: string;
  /** Implied clauses that it does not keep: it may be warned of these, and of nothing else. */
  readonly unlike?: readonly ClauseId[];
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
    unlike: ['precedence.order-of-401'],
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
    unlike: ['precedence.order-of-403'],
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
    unlike: ['precedence.403-before-429'],
    rules: withStagesMoved(['rate-limit'], 'application'),
  },
  {
    id: 'variant.other-life-cycle',
    unlike: ['chave-lookup.unknown-code'],
    rules: {
      ...referenceRules,
      stages: referenceRules.stages.map((stage) => (stage.name === 'endpoint' ? otherAnswers(stage) : stage)),
      faults: { body: (faults) => faults.map(({ mensagem }) => ({ codigo: 17, mensagem, campo: null })) },
      codeMessage: { body: (_, message) => ({ code: 4711, message, details: [] }) },
      nfeVerification: {
        ...nfeVerificationRules,
        largestBytes: 1_000_000,
        body: ({ validationStatus, chaveAcesso }) => ({ chave: chaveAcesso, validation: { validationStatus } }),
      },
      verdict: { ...verdictRules, isFinal: () => false },
      issuanceCallback: {
        ...issuanceCallbackRules,
        eventType: 'nf-e',
        time: (ms) => issuanceCallbackRules.time(ms).replace('.000Z', '+00:00'),
        body: (result, { settlement }) => ({
          ...result,
          ...(settlement.outcome === 'Negada'
            ? { nfeNumero: '', nfeSerie: '', nfeChaveAcesso: '', nfeDataEmissao: '' }
            : {}),
          nfeLinkConsultaPorChaveAcesso: '',
        }),
      },
      verdictEvent: {
        ...verdictEventRules,
        time: (ms) => verdictEventRules.time(ms).replace('Z', '+00:00'),
        body: (envelope) => ({ ...envelope, tenant: 'a1b2' }),
        data: (verdict) => Object.fromEntries(Object.entries(verdict).filter(([, value]) => value !== null)),
      },
      webhookDelivery: {
        ...webhookDeliveryRules,
        contentType: 'application/json; charset=utf-8',
        newDeliveryId: () => 'delivery',
        // The other reading: all delays count from the first attempt.
        retryMs: ({ firstStartedMs }, _endedMs, retry, delays) => firstStartedMs + (delays[retry] ?? 0) * 1000,
        breakerThreshold: 7,
      },
    },
  },
  { id: 'variant.registration-replaces', rules: replacingRegistrations() },
  {
    id: 'variant.deliveries-twice',
    rules: {
      ...referenceRules,
      webhookDelivery: { ...webhookDeliveryRules, receivers: (targets) => [...targets, ...targets] },
    },
  },
];

/** The address that was registered last is the only one that gets callbacks. */
export function replacingRegistrations(): Rules {
  const latest = new Map<string, unknown>();
  const stages = referenceRules.stages.map((stage): Stage => {
    if (stage.name !== 'endpoint') return stage;
    return {
      name: stage.name,
      async answer(request, context) {
        const reply = await stage.answer(request, context);
        const name = findRoute(request.method, request.path)?.endpoint.name;
        if (name === 'webhook-registration' && reply?.status === 200) {
          latest.set(context.application?.appKey ?? '', parseJsonObject(request.rawBody)?.['uri']);
        }
        return reply;
      },
    };
  });
  const receivers: WebhookDeliveryRules['receivers'] = (targets) =>
    targets.filter(({ channel, appKey, url }) => channel === 'verification' || latest.get(appKey) === url);
  return { ...referenceRules, stages, webhookDelivery: { ...webhookDeliveryRules, receivers } };
}

/** Answers what the contract leaves open otherwise: other statuses of refusals, other names of links, more fields. */
function otherAnswers(stage: Stage): Stage {
  return {
    name: stage.name,
    async answer(request, context) {
      const reply = await stage.answer(request, context);
      const name = findRoute(request.method, request.path)?.endpoint.name;
      if (!reply) return reply;
      if (name === 'nfe-issuance' || name === 'nfe-cancellation') {
        return reply.status === 400 ? { ...reply, status: 404 } : reply;
      }
      if (name === 'nfe-query') return reply.status === 200 ? renamedLinks(reply) : { ...reply, status: 400 };
      if (name === 'webhook-registration' || name === 'certificado-association') {
        return reply.status === 200 ? { status: 200, ...(reply.after ? { after: reply.after } : {}) } : reply;
      }
      return reply;
    },
  };
}

function renamedLinks(reply: Reply): Reply {
  const xml = member(reply.body, 'linkDownloadXml');
  const danfe = member(reply.body, 'linkDanfe');
  const links = { linkDanfe: danfe === '' ? null : danfe, urlXML: xml === '' ? undefined : xml };
  return withMembers(reply, { ...links, linkDownloadXml: undefined, numero: '1', serie: null });
}
