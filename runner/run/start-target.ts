import {
  ContainerError,
  containerAddress,
  startContainer,
  type StartedContainer,
  startEmbedded,
  type StartedTarget,
} from '../../targets/container.ts';
import { Interrupted, type Interruption } from './interruption.ts';
import { SettingError } from '../settings/setting-error.ts';
import type { Environment, Settings } from '../settings/settings.ts';
import { ownWish, refuseBadProxies, sandboxAddress } from '../settings/target-address.ts';

/** A target that is up, and what it has written where that can be read. */
export type RunningTarget = StartedTarget & Partial<Pick<StartedContainer, 'log'>>;

/**
 * Starts the target of the settings, or takes the one that is up already.
 * @throws {SettingError} for a proxy that no request could go through, and where no container can be had.
 */
export async function startTarget(settings: Settings, environment: Environment): Promise<RunningTarget> {
  switch (settings.target) {
    case 'embedded':
      return startEmbedded(ownWish(settings));
    case 'container':
      return startContainer(ownWish(settings)).catch((error: unknown) => {
        throw error instanceof ContainerError ? new SettingError(`NFE_TARGET: ${error.message}`) : error;
      });
    case 'sandbox': {
      const address = sandboxAddress(settings, environment);
      refuseBadProxies(address.network ?? {});
      return { address, stop: () => Promise.resolve() };
    }
  }
}

/** The same; where somebody ends the run before the target is up, one without an address, which stops once it is up. */
export async function startUnlessInterrupted(
  settings: Settings,
  environment: Environment,
  { guard }: Interruption,
): Promise<RunningTarget> {
  const starting = startTarget(settings, environment);
  try {
    return await guard(() => starting);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const address = { ...containerAddress(ownWish(settings), '(not started)', ''), kind: settings.target };
    return { address, stop: async () => (await starting).stop() };
  }
}
