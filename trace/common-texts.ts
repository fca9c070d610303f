import { catalogue } from '../contract/catalogue.ts';
import { codes } from '../contract/codes.ts';
import { endpoints } from '../contract/endpoints.ts';
import { retiredEndpoints } from '../contract/retired.ts';

const ofContract = [
  ...catalogue.map(({ id, statement }) => `${id} ${statement}`),
  ...[...endpoints, ...retiredEndpoints].map(({ path }) => path),
  ...Object.values(codes).map(({ code, meaning }) => `${code} ${meaning}`),
].join('\n');

/** What the contract says, and these texts that are no secret either: a part of a secret that they hold is no sign of it. */
export function commonTexts(others: readonly (string | undefined)[] = []): readonly string[] {
  return [ofContract, ...others.filter((text) => text !== undefined)];
}
