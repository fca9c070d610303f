import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Loaded compiled from the second start on, which takes half as long then; where nothing can be kept, it is compiled each time.
enableCompileCache(
  process.env['NODE_COMPILE_CACHE'] ?? fileURLToPath(new URL('../node_modules/.cache/compiled/', import.meta.url)),
);
await import('./command-line.ts');
