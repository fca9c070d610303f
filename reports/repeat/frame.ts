/** What every script begins with, behind its comment. */
export const scriptHead = String.raw`import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';

const secrets = [];

function stop(status, words) {
  console.error('repeat.mjs: ' + words);
  process.exit(status);
}

function fromEnvironment(name) {
  const value = process.env[name];
  if (!value) stop(2, name + ' is not set: the comment at the top of the script says what it holds');
  secrets.push([value, '$' + name]);
  return value;
}

function addressOf(text) {
  try {
    const address = new URL(text);
    if (/^https?:$/.test(address.protocol)) return address;
  } catch {}
  return stop(2, 'NFE_BASE_URL is no http or https address');
}`;

/** What a script has beside that where the report masks what is no secret: without its values it sends the names of them. */
export const maskedHead = String.raw`
const [sentAsMasked, sentFromEnvironment] = [[], []];

function dataFromEnvironment(name) {
  const value = process.env[name];
  (value ? sentFromEnvironment : sentAsMasked).push('$' + name);
  if (value) secrets.push([value, '$' + name]);
  return value || '$' + name;
}

function tellOfMasked(lines) {
  const told = [
    ...(sentAsMasked.length > 0 ? ['masked in the report and sent as it stands: ' + sentAsMasked.join(', ')] : []),
    ...(sentFromEnvironment.length > 0 ? ['sent from the environment: ' + sentFromEnvironment.join(', ')] : []),
    ...lines,
  ];
  for (const line of told) console.error('repeat.mjs: ' + line);
}`;

/** What a script has beside that where the suite had made its caller itself: it makes one in the same condition. */
export const controlHead = String.raw`
async function madeApplication(wish) {
  const token = process.env.NFE_CONTROL_TOKEN;
  if (!token) stop(2, 'NFE_CONTROL_TOKEN is not set, beside NFE_CONTROL_URL');
  const url = process.env.NFE_CONTROL_URL.replace(/\/+$/, '') + '/control/v1/applications';
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
      body: JSON.stringify(wish),
    });
    const { appSecret } = await answer.json();
    if (typeof appSecret !== 'string') stop(2, 'the control API made no application: ' + answer.status);
    secrets.push([appSecret, '$APP_SECRET']);
    return appSecret;
  } catch {
    return stop(2, 'the control API cannot be reached');
  }
}`;

/**
 * What every script ends with: sends `method`, `target`, `headers` and `body` as they are, prints the answer, and says whether it
 * is one that is `due`.
 */
export const scriptTail = String.raw`const has = (name) => headers.some(([own]) => own.toLowerCase() === name);
const all = [...(has('host') ? [] : [['host', address.host]]), ...headers];
const takesBody = body.length > 0 || /^(POST|PUT|PATCH)$/.test(method);
if (takesBody && !has('content-length') && !has('transfer-encoding')) all.push(['content-length', String(body.length)]);

// Secrets that the answer repeats, and control characters, do not reach the terminal.
const shown = (text) =>
  secrets
    .reduce((masked, [value, name]) => masked.split(value).join(name), text)
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (unit) => '\\x' + unit.charCodeAt(0).toString(16).padStart(2, '0'));

function bodyText(bytes) {
  const text = bytes.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(bytes)) return shown(text);
  return bytes.length + ' bytes that are no UTF-8';
}

function print(answer, bytes) {
  console.log('HTTP ' + answer.statusCode);
  answer.rawHeaders.forEach((text, at, list) => {
    if (at % 2 === 0) console.log(shown(text + ': ' + list[at + 1]));
  });
  console.log('\n' + bodyText(bytes));
  if (expected !== undefined) console.log('\nexpected: ' + shown(expected));
  tellWhether(answer.statusCode, bytes);
}

function codeIn(bytes) {
  try {
    return String(JSON.parse(bytes.toString('utf8')).code);
  } catch {
    return '';
  }
}

function isDue(status, bytes) {
  if (due !== 'accepted') return due.some((one) => one.status === status && (one.code ?? codeIn(bytes)) === codeIn(bytes));
  return ![401, 403, 410, 429].includes(status);
}

function tellWhether(status, bytes) {
  const isKnown = due !== undefined && ![502, 503, 504].includes(status);
  process.exitCode = !isKnown ? 2 : isDue(status, bytes) ? 0 : 1;
  const words = ['NOT REPRODUCED: the answer is one that is due', 'REPRODUCED: the answer is none that is due'];
  const untold = 'NOT TRIED: whether the answer is right only the whole check can tell: ' + wholeCheck;
  console.log('\n' + shown(words[process.exitCode] ?? untold));
}

try {
  const { request } = address.protocol === 'https:' ? https : http;
  const outgoing = request({
    hostname: address.hostname.replace(/^\[|\]$/g, ''),
    port: address.port,
    path: address.pathname.replace(/\/+$/, '') + target,
    method,
    headers: all,
  });
  outgoing.on('response', (answer) => {
    const chunks = [];
    answer.on('data', (chunk) => chunks.push(chunk));
    answer.on('error', (error) => stop(2, 'the answer broke off: ' + shown(error.message)));
    answer.on('end', () => print(answer, Buffer.concat(chunks)));
  });
  outgoing.on('error', (error) => stop(2, 'no answer: ' + shown(error.message || error.code)));
  outgoing.setTimeout(30000, () => outgoing.destroy(new Error('nothing came within 30 seconds')));
  outgoing.end(body);
} catch (error) {
  stop(2, 'the request cannot be sent: ' + shown(error.message));
}
`;
