import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ContainerRuntimeClient, GenericContainer } from 'testcontainers';
import { maskFor } from '../trace/mask.ts';
import type { TargetAddress, WebhookAddress, ControlAddress } from './address.ts';
import type { SimulatorOptions } from '../simulator/start.ts';

/** Thrown where no container can be had; the message says what is missing and what to do. */
export class ContainerError extends Error {
  override readonly name = 'ContainerError';
}

/** How the container is to be treated. */
export type ContainerWish = Required<Omit<EmbeddedWish, 'rules'>>;

/** A target that runs in a container. */
export interface StartedContainer extends StartedTarget {
  /** What it has written, the secrets of `secrets` masked, and that of the application it keeps for people as well. */
  readonly log: (secrets: ReadonlyMap<string, string>) => string;
}

/** What is said where `startContainer` finds no engine. */
export const noEngine =
  'no Docker engine answers: start one (`docker info` must show a server), or set DOCKER_HOST to where it listens';

/** The host by which a container reaches this machine. */
export const hostGateway = 'host.docker.internal';

const imagePort = 8080;
const startupMs = 60_000;
/** The simulator ends by the signal at once; one that does not is killed. */
const stopMs = 5_000;
const projectFolder = fileURLToPath(new URL('../', import.meta.url));

/**
 * Builds the project's Dockerfile and starts the image; resolves once it is healthy. Stopping removes container and image.
 * @throws {ContainerError} when there is no engine, or when the image can't be built or started.
 */
export async function startContainer(wish: ContainerWish): Promise<StartedContainer> {
  const engine = await findEngine();
  if (!engine) throw new ContainerError(noEngine);
  const controlToken = randomBytes(32).toString('base64url');
  const written: string[] = [];
  const image = await builtImage(engine);
  // Documents are linked to by an address that must be known before the start, so the port is chosen here.
  const port = await freePort();
  const baseUrl = `http://${engine.info.containerRuntime.host}:${port}`;
  const { Wait } = await import('testcontainers');
  const container = await image.container
    .withCommand(['--public-url', baseUrl, '--header-prefix', wish.webhook.headerPrefix])
    .withEnvironment({ SIMULATOR_CONTROL_TOKEN: controlToken })
    .withExposedPorts({ container: imagePort, host: port })
    .withExtraHosts([{ host: hostGateway, ipAddress: 'host-gateway' }])
    .withLogConsumer((stream: Readable) => stream.on('data', (chunk) => written.push(String(chunk))))
    .withWaitStrategy(Wait.forHealthCheck())
    .withStartupTimeout(startupMs)
    .start()
    .catch(async (error: unknown) => {
      await image.remove();
      const log = maskedLog(written.join(''), new Map([[controlToken, '$NFE_CONTROL_TOKEN']]));
      const last = log.trim().split('\n').at(-1);
      throw new ContainerError(`the container did not start (${firstLine(error)}): its log ends with "${last}"`);
    });
  return {
    address: containerAddress(wish, baseUrl, controlToken),
    log: (secrets) => maskedLog(written.join(''), secrets),
    async stop() {
      await container.stop({ timeout: stopMs });
      await image.remove();
    },
  };
}

interface BuiltImage {
  readonly container: GenericContainer;
  /** Takes the image out of the engine, which keeps its layers of libraries for the next one. */
  remove(): Promise<void>;
}

/** The image under a name of its own: one that an earlier run left would hide that this one could not be built. */
async function builtImage(engine: ContainerRuntimeClient): Promise<BuiltImage> {
  const { GenericContainer } = await import('testcontainers');
  const name = `nfe-simulator-under-test:${randomBytes(6).toString('hex')}`;
  try {
    const container = await GenericContainer.fromDockerfile(projectFolder).build(name);
    const image = engine.container.dockerode.getImage(name);
    return { container, remove: () => image.remove().then(ignore, ignore) };
  } catch (error) {
    throw new ContainerError(`the image can't be built (${firstLine(error)}): \`docker build .\` shows why`);
  }
}

/** An image that is left behind, or gone already, changes no verdict. */
function ignore(): void {}

/** Whether `startContainer` would find a Docker engine. */
export async function hasEngine(): Promise<boolean> {
  return (await findEngine()) !== undefined;
}

/** The engine; the library that talks to it is loaded only now, since runs without a container are to begin sooner. */
async function findEngine(): Promise<ContainerRuntimeClient | undefined> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  return getContainerRuntimeClient().catch(() => undefined);
}

/** The address of the simulator in its container: ours, as the embedded one is, but in reach by network alone. */
export function containerAddress(wish: ContainerWish, baseUrl: string, controlToken: string): TargetAddress {
  return {
    kind: 'container',
    baseUrl,
    control: { url: baseUrl, token: controlToken },
    credentials: {},
    allowProducao: true,
    rateBurst: 0,
    clockSkewSeconds: 0,
    ...wish,
    webhook: containerWebhook(wish.webhook),
  };
}

/** A receiver that no public address leads to is reached through the gateway, by whichever port it takes. */
function containerWebhook(webhook: WebhookAddress): WebhookAddress {
  return webhook.publicUrl === undefined ? { ...webhook, publicHost: hostGateway } : webhook;
}

/** The log of a simulator with secrets masked, that of the application it prints at its start among them. */
export function maskedLog(log: string, secrets: ReadonlyMap<string, string>): string {
  const printed = /^App Secret +(\S+)/m.exec(log)?.[1];
  return maskFor(new Map([...secrets, ...(printed === undefined ? [] : [[printed, '$APP_SECRET'] as const])]))(log);
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trim().split('\n')[0] ?? '';
}

/** A port that is free now on every interface; the engine takes it a moment later. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '0.0.0.0');
  await once(server, 'listening');
  const address = server.address();
  await once(server.close(), 'close');
  if (address === null || typeof address !== 'object') throw new Error('the system gave no port');
  return address.port;
}

/** A target that this process started itself. */
export interface StartedTarget {
  readonly address: TargetAddress;
  readonly stop: () => Promise<void>;
}

/** How the simulator is to be, and how it is to be treated. */
export interface EmbeddedWish extends Partial<
  Pick<TargetAddress, 'xmlContentType' | 'maxRps' | 'profile' | 'webhook' | 'isSlow' | 'settleTimeoutSeconds'>
> {
  /** The reference rules when absent. */
  readonly rules?: SimulatorOptions['rules'];
}

/** Starts the reference simulator, or the one with other rules, on a free loopback port. */
export async function startEmbedded(wish: EmbeddedWish = {}): Promise<StartedTarget> {
  const { headerPrefix } = wish.webhook ?? localWebhook;
  // Loaded only now: a run against somebody else's server needs no simulator.
  const { startSimulator } = await import('../simulator/start.ts');
  const simulator = await startSimulator({ headerPrefix, ...(wish.rules ? { rules: wish.rules } : {}) });
  const { baseUrl, controlUrl, controlToken } = simulator;
  if (controlUrl === undefined || controlToken === undefined) throw new Error('the simulator has no control API');
  const address = embeddedAddress(baseUrl, { url: controlUrl, token: controlToken }, wish);
  return { address, stop: () => simulator.stop() };
}

/** A simulator that this process has started, as a check knows it. */
export function embeddedAddress(baseUrl: string, control: ControlAddress, wish: EmbeddedWish = {}): TargetAddress {
  return {
    kind: 'embedded',
    baseUrl,
    control,
    credentials: {},
    maxRps: wish.maxRps ?? 0,
    allowProducao: true,
    rateBurst: 0,
    clockSkewSeconds: 0,
    profile: wish.profile ?? { folder: '', files: [] },
    webhook: wish.webhook ?? localWebhook,
    isSlow: wish.isSlow ?? false,
    settleTimeoutSeconds: wish.settleTimeoutSeconds ?? 10,
    xmlContentType: wish.xmlContentType ?? 'application/xml',
  };
}

/** A receiver on a free loopback port, where a target in this process reaches it. */
const localWebhook: WebhookAddress = {
  listen: { host: '127.0.0.1', port: 0 },
  headerPrefix: 'X-Service',
  isReachable: true,
};
