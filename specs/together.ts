import { readdirSync } from 'node:fs';
import { inject } from 'vitest';
import { topicOf } from '../contract/catalogue.ts';
import { declareTogether } from './kit/check.ts';

// The checks of all spec files of the topics that are asked for, as those of one file. Vitest would end a file before it begins the next:
// at a server that takes its time the last checks of each file would be waited for.

const topics = new Set(inject('runs').flatMap(({ clauses }) => clauses.map(topicOf)));
const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.spec.ts'));
const asked = files.filter((file) => topics.has(file.slice(0, file.indexOf('.'))));

// A thread that is used again has read them before, and they are to declare their checks anew.
const time = Date.now();
await declareTogether(asked, (file) => import(`./${file}?read=${time}`));
