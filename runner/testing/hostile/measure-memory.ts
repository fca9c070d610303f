import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env['PEAK_MEMORY_FILE'];

// Of this process alone: the most that `resourceUsage` tells may be that of its parent.
if (isMainThread && file !== undefined) {
  process.on('exit', () => {
    const kilobytes = /^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    writeFileSync(file, kilobytes ?? '');
  });
}
