import { ContainerError, startContainer, type StartedContainer } from '../targets/container.ts';
import { startEmbedded, type StartedTarget } from '../targets/embedded.ts';
import { SettingError } from './setting-error.ts';
import type { Environment, Settings } from './settings.ts';
import { ownWish, refuseBadProxies, sandboxAddress } from './target-address.ts';

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
