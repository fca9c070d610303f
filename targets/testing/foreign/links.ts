import { randomBytes } from 'node:crypto';
import { documentOf, factsOf } from './documents.ts';
import { plain, type Answer } from './messages.ts';
import type { Invoice, World } from './world.ts';

const lifetimeMs = 600_000;

/** A link to a document that works for ten minutes. Section 8. */
export function linkTo(invoice: Invoice, kind: 'xml' | 'danfe', world: World): string {
  const token = randomBytes(18).toString('base64url');
  world.links.set(token, { invoice, kind, untilMs: world.nowMs() + lifetimeMs });
  return `${world.baseUrl}/arquivos?t=${token}`;
}

/** The document behind a link, by its token. */
export function download(token: string, world: World): Answer {
  const link = world.links.get(token);
  if (!link || link.untilMs < world.nowMs()) return plain(404, 'Link expirado.');
  const { invoice, kind } = link;
  const content = Buffer.from(kind === 'xml' ? documentOf(factsOf(invoice)) : danfeOf(invoice));
  return { status: 200, bytes: { type: kind === 'xml' ? 'text/xml' : 'application/pdf', content } };
}

/** A page that says nothing but whose it is. */
function danfeOf({ chave, number }: Invoice): string {
  return `%PDF-1.4
% DANFE ${number}, chave ${chave}
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;
}
