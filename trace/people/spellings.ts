/** The names of the twelve months, in both languages. */
const months = ['pt-BR', 'en'].map((language) => {
  const names = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => names.format(Date.UTC(2000, month)));
});

/** Hours by which Brasília is behind UTC. */
const brasiliaHours = 3;

/** A day as texts write it, given as DDMMYYYY; letter case and accents are for who compares. Section 2.2. */
function spellingsOfDay(nascimento: string): string[] {
  const [, day = '', month = '', year = ''] = /^(\d\d)(\d\d)(\d{4})$/.exec(nascimento) ?? [];
  const startMs = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(startMs)) return [nascimento];
  const [d, m, yy] = [String(Number(day)), String(Number(month)), year.slice(2)];
  return [
    nascimento,
    String(Number(nascimento)),
    ...inNumbers([day, month, year]),
    ...inNumbers([d, m, year]),
    ...inNumbers([day, month, yy]),
    ...inNumbers([d, m, yy]),
    `${year}${month}${day}`,
    `${month}${day}${year}`,
    `${day}${month}${yy}`,
    `${yy}${month}${day}`,
    ...withMonthNames(day, month, year),
    ...moments(startMs),
  ];
}

/** Day, month and year apart: in the order of Brazil, of ISO and of the United States. */
function inNumbers([day, month, year]: readonly [string, string, string]): string[] {
  const orders = [
    [day, month, year],
    [year, month, day],
    [month, day, year],
  ];
  return orders.flatMap((order) => ['/', '-', '.', ' ', '_'].map((mark) => order.join(mark)));
}

function withMonthNames(day: string, month: string, year: string): string[] {
  const index = Number(month) - 1;
  const names = months.map((ofYear) => ofYear[index]).filter((name) => name !== undefined);
  const all = [...new Set(names.flatMap((name) => [name, name.slice(0, 3), `${name.slice(0, 3)}.`, name.slice(0, 4)]))];
  const days = [day, String(Number(day))];
  return days.flatMap((one) =>
    all.flatMap((name) => [
      ...[' ', '-', '/', '.'].flatMap((mark) => [
        `${one}${mark}${name}${mark}${year}`,
        `${year}${mark}${name}${mark}${one}`,
      ]),
      `${one} de ${name} de ${year}`,
      `${one}º de ${name} de ${year}`,
      `${one} ${name}, ${year}`,
      `${name} ${one}, ${year}`,
      `${name} ${one} ${year}`,
      `${one}-${name}-${year.slice(2)}`,
      `${one} ${name} ${year.slice(2)}`,
      ...['st', 'nd', 'rd', 'th'].flatMap((end) => [
        `${name} ${one}${end}, ${year}`,
        `${one}${end} of ${name} ${year}`,
      ]),
    ]),
  );
}

/** The start of the day there and in Brasília, as numbers, and in UTC where that is the day before. */
function moments(startMs: number): string[] {
  const local = startMs + brasiliaHours * 3_600_000;
  const before = new Date(startMs - brasiliaHours * 3_600_000).toISOString().slice(0, 16);
  const numbers = [startMs, local].flatMap((ms) => [String(Math.abs(ms) / 1000), String(Math.abs(ms))]);
  return [...numbers, before, before.replace('T', ' ')];
}

/** What somebody is known by. */
export type PersonalKind = 'cpf' | 'nascimento' | 'phone' | 'cep' | 'text';

/** How texts write what somebody is known by; letter case, accents and escapes are for who compares. Too short to be telling: none. */
export function spellingsOf(kind: PersonalKind, value: string): string[] {
  const digits = value.replaceAll(/\D/g, '');
  const all = spell[kind](value, digits);
  return [...new Set([value, ...all])].filter((one) => isTelling(one.trim()));
}

/** Whether a text tells of somebody wherever it stands: it has letters, or enough digits. */
function isTelling(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  return /\p{L}/u.test(text) ? text.length >= 3 : digits >= 6 || (digits >= 4 && /[/.-]/.test(text));
}

const spell: Readonly<Record<PersonalKind, (value: string, digits: string) => string[]>> = {
  cpf: (_, digits) => ofCpf(digits),
  nascimento: (_, digits) => spellingsOfDay(digits),
  phone: (_, digits) => ofPhone(digits),
  cep: (_, digits) => [
    digits,
    `${digits.slice(0, 5)}-${digits.slice(5)}`,
    `${digits.slice(0, 2)}.${digits.slice(2, 5)}-${digits.slice(5)}`,
  ],
  text: ofName,
};

function ofCpf(digits: string): string[] {
  const [a, b, c, end] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 9), digits.slice(9)];
  const groups = ['.', ' ', '-', '/', '', ','];
  return [
    digits,
    digits.replace(/^0+/, ''),
    ...groups.flatMap((mark) => ['-', '/', ' ', '.', ''].map((last) => `${a}${mark}${b}${mark}${c}${last}${end}`)),
  ];
}

/** A number with its area, written in groups, with the country's code before it or not. */
function ofPhone(digits: string): string[] {
  const national = digits.length > 11 && digits.startsWith('55') ? digits.slice(2) : digits;
  const [area, number] = [national.slice(0, 2), national.slice(2)];
  const [start, end] = [number.slice(0, -4), number.slice(-4)];
  const numbers = [number, `${start}-${end}`, `${start} ${end}`, `${start}.${end}`];
  const areas = [
    area,
    `(${area})`,
    `0${area}`,
    `(0${area})`,
    `+55 ${area}`,
    `+55${area}`,
    `+55 (${area})`,
    `55 ${area}`,
    `55${area}`,
  ];
  return [
    national,
    `55${national}`,
    ...areas.flatMap((one) => numbers.flatMap((two) => [`${one} ${two}`, `${one}${two}`, `${one}-${two}`])),
  ];
}

/** A name as it stands, its first word with its last, and the other way round. */
function ofName(value: string): string[] {
  const words = value.split(/[\s_]+/).filter((word) => word !== '');
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (words.length < 2 || words.length > 6) return [value];
  return [
    value,
    words.join('_'),
    words.join('.'),
    words.join('-'),
    words.join('+'),
    `${last}, ${words.slice(0, -1).join(' ')}`,
    ...(words.length > 2 && first.length > 2 ? [`${first} ${last}`] : []),
  ];
}
