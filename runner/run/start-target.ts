import type { TargetAddress } from '../../targets/address.ts';
import {
  ContainerError,
  containerAddress,
  startContainer,
  type StartedContainer,
  startEmbedded,
  type StartedTarget,
} from '../../targets/container.ts';
import { Interrupted, type Interruption } from './own-process.ts';
import { SettingError, type Environment, type Settings } from '../settings/settings.ts';
import { ownWish, refuseBadProxies, sandboxAddress } from '../settings/target-address.ts';
import { writeContainerLog } from '../../reports/write.ts';
import { fileErrorCode, isFileError } from '../command-line/argument-error.ts';

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
    return { address: unstartedAddress(settings), stop: async () => (await starting).stop() };
  }
}

/** Keeps what a container has written beside the reports; a log that can't be written costs a warning, never the verdict. */
export async function keepContainerLog(folder: string, log: string, warn: (line: string) => void): Promise<void> {
  try {
    await writeContainerLog(folder, log);
  } catch (error) {
    if (!isFileError(error)) throw error;
    warn(
      `warning: container.log can't be written to ${folder} (${fileErrorCode(error)}); the verdict of this run stands\n`,
    );
  }
}

/** What stands for the address of a target that is not up. */
export function unstartedAddress(settings: Settings): TargetAddress {
  return { ...containerAddress(ownWish(settings), '(not started)', ''), kind: settings.target };
}
