import { afterAll } from 'vitest';
import { endServers } from '../../targets/testing/served.ts';
import { removeFolders } from './folders.ts';

// Read anew for each file of tests. A helper is read once for all files of a worker: what it says itself is to be done after all
// tests is done after those of the first file alone.
afterAll(removeFolders);
afterAll(endServers);
