import { echoCall, nineRetiredCalls } from '../generators/calls.ts';
import { flawedProbes } from '../generators/flaws.ts';
import { anyProbe, plainProbes } from '../generators/probes.ts';
import { mayLeaveNew } from '../targets/traffic/interlock.ts';
import { LeftOut } from '../targets/not-exercised.ts';
import { check, property } from './kit/check.ts';
import { mightLeave } from './kit/sending.ts';
import { eventsOfBothChannels } from './kit/verdicts.ts';

property(
  'encoding.of-answers',
  'the answer of any endpoint comes in no encoding',
  anyProbe(),
  async (t, { callAs }) => {
    const call = callAs(t.target.address.xmlContentType);
    if (mayLeaveNew(t.target.address, call)) throw new LeftOut(mightLeave(call));
    await t.send(await t.caller(), call);
  },
  { examples: plainProbes, mostPolitely: plainProbes.length, pool: 'probes' },
);

check(
  'encoding.of-answers',
  'a long answer and every refusal come in no encoding',
  async (t) => {
    const caller = await t.caller();
    await t.send(caller, echoCall('long '.repeat(4_000)));
    const flawed = flawedProbes.filter(({ probe }) => probe.name === 'echo');
    await t.each(flawed, async ({ probe, flaw }) => void (await t.send(caller, probe.callAs(''), flaw.apply)));
    await t.each(nineRetiredCalls, async ({ call }) => void (await t.send(caller, call)));
  },
  { pool: 'refusals' },
);

check('encoding.of-deliveries', 'the deliveries of both channels come in no encoding', eventsOfBothChannels, {
  isInTurn: true,
});
