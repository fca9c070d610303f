import fc from 'fast-check';
import { afterAll } from 'vitest';
import { endServers } from '../../targets/testing/served.ts';
import { removeFolders } from './folders.ts';

// Everybody draws the same: what fails by one draw in twenty would accuse whoever comes by that day. FC_SEED draws others.
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 1729) });

// Read anew for each file of tests. A helper is read once for all files of a worker: what it says itself is to be done after all
// tests is done after those of the first file alone.
afterAll(removeFolders);
afterAll(endServers);
