import type { Language } from '../contract/languages.ts';

/** The words of one language alone that messages of a service are made of; what may be a name in them is left out. */
const own: Readonly<Record<Exclude<Language, 'zh'>, RegExp>> = {
  en: /^(?:the|is|are|was|were|has|have|been|not|this|that|please|of|and|too|many|with|your|you|must|cannot|missing|invalid|success|successful|successfully|disabled|expired|unauthorized|forbidden|retired|instead|later|again|exceeded|does|doesn|wrong|there|its)$/,
  pt: /^(?:não|uma|são|foi|foram|ou|um|em|do|dos|ao|aos|os|seu|sua|seus|pelo|pela|você|muitas|mais|tente|demais|sucesso|aplicativo|assinatura|desativad[oa]|descontinuad[oa]|incorreto|incorreta|é|\p{L}{1,30}ç(?:ão|ões)|\p{L}{0,30}[ãõçâêôà]\p{L}{0,30})$/u,
  es: /^(?:el|la|es|los|una|ha|fue|del|su|sus|con|más|sin|éxito|límite|demasiad[oa]s?|solicitud|solicitudes|cabecera|encabezado|cuenta|utilice|inténtelo|intente|desactivad[oa]|deshabilitad[oa]|suscrit[oa]|\p{L}{1,30}(?:ción|sión|ciones)|\p{L}{0,30}ñ\p{L}{0,30})$/u,
};

/** The language that a message surely is in: of what reads like several, or like none, nobody is sure. Section 9. */
export function languageOf(message: string): Language | undefined {
  const text = message.slice(0, longestRead).normalize('NFC').toLowerCase().replaceAll(quoted, ' ');
  const words = (text.match(/\S+/gu) ?? []).flatMap(wordIn);
  const found = tongues.filter((language) => isTelling(words.filter((word) => own[language].test(word)).length, words));
  const isChinese = (text.match(/\p{Script=Han}/gu) ?? []).length >= 2;
  if (isChinese) return found.length === 0 ? 'zh' : undefined;
  const [language, ...others] = found;
  const isPlain = !/[à-ÿ]/.test(text);
  return others.length === 0 && (language !== 'en' || isPlain) ? language : undefined;
}

const tongues = ['en', 'pt', 'es'] as const;

/** Characters that are looked at: what tells a language stands at the start. */
const longestRead = 1_000;

/** Names of applications and the like. */
const quoted = /"[^"]{0,80}"|“[^”]{0,80}”|«[^»]{0,80}»|「[^」]{0,80}」|`[^`]{0,80}`/g;

/** The word in a part of a text between spaces; none in a path, a time or an id. */
function wordIn(part: string): string[] {
  const word = part.replaceAll(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '');
  return /^\p{L}+$/u.test(word) ? [word] : [];
}

/** Two words tell, and one of a text that is hardly longer. */
function isTelling(count: number, words: readonly string[]): boolean {
  return count >= 2 || (count === 1 && words.length <= 2);
}
