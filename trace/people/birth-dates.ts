const months = {
  pt: [
    'janeiro',
    'fevereiro',
    'março',
    'abril',
    'maio',
    'junho',
    'julho',
    'agosto',
    'setembro',
    'outubro',
    'novembro',
    'dezembro',
  ],
  en: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
} as const;

/** Hours by which Brasília is behind UTC. */
const brasiliaHours = 3;

/** A day as texts write it, given as DDMMYYYY; letter case and accents are for who compares. Section 2.2. */
export function spellingsOfDay(nascimento: string): string[] {
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
  const names = [months.pt[index], months.en[index]].filter((name) => name !== undefined);
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
