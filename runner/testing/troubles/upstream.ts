import { startSimulator } from '../../../simulator/start.ts';
import { openControl } from '../../../targets/control.ts';
import type { Staged, Upstream } from './staged-trouble.ts';

/** The simulator in this process; whoever starts it stops it. */
export async function startUpstream(): Promise<Upstream & Pick<Staged, 'stop'>> {
  const simulator = await startSimulator();
  const { baseUrl, controlUrl: url, controlToken: token } = simulator;
  if (url === undefined || token === undefined) throw new Error('the simulator has no control API');
  const control = openControl({ url, token }, undefined);
  return {
    baseUrl,
    secret: async (wish = {}) => (await control.createApplication(wish)).appSecret,
    async stop() {
      await control.close();
      await simulator.stop();
    },
  };
}
