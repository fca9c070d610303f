import type { Texts } from './texts.ts';

/** What the doctor and a run say of themselves. */
export const runTexts: Texts = {
  // The doctor
  target: 'serviço',
  way: 'caminho',
  service: 'resposta',
  secrets: 'segredos',
  endpoints: 'endpoints',
  receiver: 'receptor',
  settings: 'configurações',
  clock: 'relógio',
  subscriptions: 'assinaturas',
  container: 'contêiner',
  warning: 'aviso',
  problem: 'problema',
  'not set': 'ausente',
  skipped: 'pulado',
  '{} ({n} characters in all)': '{} ({} caracteres ao todo)',
  'not examined:': 'não examinado:',
  'not set:': 'não definido:',
  '  … and {n} more: npm run doctor -- --json tells all': '  … e mais {}: npm run doctor -- --json diz tudo',
  'Not ready: {*}': 'Não está pronto: {}',
  'Ready: npm test will exercise {n} of {*}': 'Pronto: npm test exercitará {} de {}',
  '{n} problem': '{} problema',
  '{n} problems': '{} problemas',
  '{n} warning': '{} aviso',
  '{n} warnings': '{} avisos',
  Next: 'Próximo passo',
  '{*}: {*} more, the largest gain': '{}: {} a mais, o maior ganho',
  'a profile that suits the target (npm run profile -- init FOLDER)':
    'um perfil que sirva ao serviço (npm run profile -- init PASTA)',
  // The preflight of a run
  'Preflight: in order are {}.': 'Pré-exame: em ordem estão {}.',
  'npm run doctor tells all that was found': 'npm run doctor diz tudo o que foi achado',
  'and {*} more': 'e mais {}',
  '! {*} more: npm run doctor tells them': '! mais {}: npm run doctor diz quais',
  // Announcements and endings
  'the results do not say which': 'os resultados não dizem qual',
  'Callbacks of this run come to {}; it may have replaced the address of the application.':
    'Os callbacks desta execução chegam a {}; ela pode ter substituído o endereço da aplicação.',
  '{n} at most: {n} of {n} checks, of {*} each, about {*}.':
    '{} no máximo: {} de {} verificações, de {} cada, cerca de {}.',
  'About {*}; {n} at most.': 'Cerca de {}; {} no máximo.',
  'About {*} at {} a second, about {n} min; {n} at most.': 'Cerca de {} a {} por segundo, uns {} min; {} no máximo.',
  'Until it is as sure as was asked: up to {*} more; --budget caps them.':
    'Até que tenha a certeza pedida: até mais {}; --budget as limita.',
  'Until it is as sure as was asked: up to {*} more, {n} min; --budget caps them.':
    'Até que tenha a certeza pedida: até mais {}, {} min; --budget as limita.',
  'Not so sure yet: {*} on fewer than {n} answers; about {*} more.':
    'Ainda sem essa certeza: {} em menos de {} respostas; cerca de mais {}.',
  '{n} must clause': '{} cláusula obrigatória',
  '{n} must clauses': '{} cláusulas obrigatórias',
  'It leaves at the target about {}; npm test -- --plan says what saves which.':
    'Deixa no serviço cerca de {}; npm test -- --plan diz o que poupa o quê.',
  '{n} request': '{} requisição',
  '{n} requests': '{} requisições',
  'Reports: {}': 'Relatórios: {}',
  'Time: {} in all; {}': 'Tempo: {} ao todo; {}',
  'Exit status 1: {*}': 'Status de saída 1: {}',
  'blocked by {}': 'bloqueada por {}',
  'NFE_REQUIRE_COMPLETE is true, and {*} was not exercised': 'NFE_REQUIRE_COMPLETE é true, e {} não foi exercitada',
  'NFE_REQUIRE_COMPLETE is true, and {*} were not exercised': 'NFE_REQUIRE_COMPLETE é true, e {} não foram exercitadas',
  'NFE_REQUIRE_LEVEL is {}, which is not complete: {*}': 'NFE_REQUIRE_LEVEL é {}, que não está completo: {}',
  'level {}: {n} of {n} exercised': 'nível {}: {} de {} exercitadas',
  'level {}: all {n} exercised, not all hold': 'nível {}: todas as {} exercitadas, nem todas cumpridas',
  'level {}': 'nível {}',
  'NFE_REQUIRE_LEVEL is {}, of which these results say nothing: only a run of the whole suite is held to it':
    'NFE_REQUIRE_LEVEL é {}, de que estes resultados nada dizem: só uma execução da suíte inteira é cobrada por ele',
};
