import { answerFaults, faultsWish, type FaultsWish } from '../../schemas/faults-on-demand.ts';
import type { Reply } from '../http/reply.ts';
import { type Application, nowMs } from '../model/application.ts';
import type { Service } from '../service.ts';
import { aboutApplication, changing, bodyReader } from './handler.ts';

/** `PUT /applications/{appKey}/faults`: what is to befall the application from now on, in place of what was armed. */
export const armFaults = changing(
  bodyReader<FaultsWish>(faultsWish),
  (application, { answers = [], deliveries = [] }, { state }) => {
    state.faults.arm(application.appKey, [...answers, ...deliveries], nowMs(application.clock));
    return shown(application, state);
  },
);

/** `GET /applications/{appKey}/faults`: what is armed, and how much of it is left. */
export const listFaults = aboutApplication((application, { state }) => shown(application, state));

/** The App Keys of the applications at which something is armed. */
export function applicationsWithFaults({ state: { applications, faults } }: Pick<Service, 'state'>): string[] {
  return faults.appKeys().filter((appKey) => {
    const clock = applications.findByKey(appKey)?.clock ?? 'system';
    return faults.armedAt(appKey, nowMs(clock)).length > 0;
  });
}

function shown({ appKey, clock }: Application, { faults }: Service['state']): Reply {
  const armed = faults.armedAt(appKey, nowMs(clock)).map(({ wish, times, untilMs }) => {
    const { seconds: _, ...rest } = wish;
    return { ...rest, times, until: untilMs === null ? null : new Date(untilMs).toISOString() };
  });
  const isOfAnswer = ({ kind }: { kind: string }): boolean => kind in answerFaults;
  return {
    status: 200,
    body: { answers: armed.filter(isOfAnswer), deliveries: armed.filter((one) => !isOfAnswer(one)) },
  };
}
