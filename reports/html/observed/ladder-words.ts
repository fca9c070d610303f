import type { RetryReading } from '../../../contract/retry-ladder.ts';
import type { ObservedLadder } from '../../../schemas/observed.ts';
import { markup, type Markup } from '../markup.ts';
import { said } from '../said.ts';

/** A reading of the planned delays in words. */
export function saidReading(reading: RetryReading): Markup {
  switch (reading) {
    case 'each after the one before':
      return said('each after the one before', 'cada uma após a anterior');
    case 'all after the first':
      return said('all after the first', 'todas após a primeira');
  }
}

/** Whose retries they are and how they were seen, in words. */
export function saidLadder({ channel, source }: ObservedLadder): Markup {
  return markup`<b>${saidChannel(channel)}</b> <span class="note">${saidSource(source)}</span>`;
}

function saidChannel(channel: ObservedLadder['channel']): Markup {
  switch (channel) {
    case 'issuance':
      return said('Issuance callback', 'Callback de emissão');
    case 'verification':
      return said('Verification event', 'Evento de verificação');
  }
}

function saidSource(source: ObservedLadder['source']): Markup {
  switch (source) {
    case 'moved-clock':
      return said('clock moved in steps', 'relógio adiantado em passos');
    case 'real-time':
      return said('in real time', 'em tempo real');
    case 'stored':
      return said('stored by the receiver', 'guardado pelo receptor');
  }
}
