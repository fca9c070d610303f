import type { Texts } from './texts.ts';

/** What is said of applications, their secrets and what they may call, and of the control API. */
export const applicationTexts: Texts = {
  'the target says {*}': 'o serviço diz {}',
  'see what became of the network and try again': 'veja o que houve com a rede e tente de novo',
  'active and subscribed to echo': 'ativa e assinante do echo',
  'copy the secret anew, since a rotation makes the former one invalid':
    'copie o segredo de novo, pois uma rotação invalida o anterior',
  '{*}; if it is right, see whether a gateway in between lower-cases the token header: this secret has capital letters':
    '{}; se está certo, veja se um gateway no caminho põe o header token em minúsculas: este segredo tem maiúsculas',
  '{*}: it does not know this secret': '{}: ele não conhece este segredo',
  '{*} to a request that has all three headers': '{} a uma requisição que tem os três headers',
  'a gateway in between takes token, sign or timestamp away: have it let them through':
    'um gateway no caminho tira token, sign ou timestamp: faça com que os deixe passar',
  'exchange {} and {}, which look swapped': 'troque {} por {}: parecem invertidos',
  'subscribe the application to /openapi/demo/echo and to everything else':
    'assine /openapi/demo/echo e tudo o mais para a aplicação',
  'it takes the secret of an active application subscribed to everything':
    'aceita o segredo de uma aplicação ativa que assina tudo',
  'set NFE_MAX_RPS to a rate that the target allows, or wait':
    'defina NFE_MAX_RPS com um ritmo que o serviço permite, ou espere',
  'the secret is known: a path in NFE_BASE_URL may be one too many, a proxy may change path or body, or the target signs otherwise':
    'o segredo é conhecido: pode haver um caminho a mais em NFE_BASE_URL, um proxy pode alterar caminho ou corpo, ou o serviço assina de outro modo',
  'the clocks agree: a proxy may change the timestamp header, or the target reads it otherwise':
    'os relógios concordam: um proxy pode alterar o header timestamp, ou o serviço o lê de outro modo',
  '{*}: npm test tells': '{}: npm test dirá',
  'no setting explains that': 'nenhuma configuração explica isso',
  'the identity that echo gives is not compared': 'a identidade que o echo dá não é comparada',
  'echo told no identity to compare it with': 'o echo não disse identidade com que comparar',
  'echo says the same': 'o echo diz o mesmo',
  'echo says {}': 'o echo diz {}',
  'set {} to that, or NFE_APP_SECRET to the secret of the other application':
    'defina {} com isso, ou NFE_APP_SECRET com o segredo da outra aplicação',
  'application of the control API': 'aplicação da API de controle',
  'application secrets': 'segredos de aplicações',
  'none are needed: the control API makes an application for each check':
    'nenhum é preciso: a API de controle cria uma aplicação para cada verificação',
  'faults on demand are armed at this application of the simulator':
    'há falhas sob encomenda armadas nesta aplicação do simulador',
  'disarm them by its control API, or start it again': 'desarme-as pela API de controle dele, ou inicie-o de novo',
  'faults on demand are armed at other applications of the simulator: {}':
    'há falhas sob encomenda armadas em outras aplicações do simulador: {}',
  'leave them: the run makes applications of its own, which have none':
    'deixe-as: a execução cria as suas próprias aplicações, que não têm nenhuma',
  'echo says {*} to the application': 'o echo diz {} à aplicação',
  // In another state than the setting says
  "{*}: its state can't be told": '{}: não dá para saber o estado dela',
  'try again': 'tente de novo',
  'npm test tells whether the target deviates there': 'npm test dirá se o serviço se desvia ali',
  'put in the secret of such an application, or unset it': 'ponha o segredo de uma aplicação assim, ou remova',
  'this secret is still valid': 'este segredo ainda é válido',
  'it does not know the secret in {}': 'ele não conhece o segredo em {}',
  'this application is not {*}': 'esta aplicação não está {}',
  disabled: 'desabilitada',
  'pending approval': 'aguardando aprovação',
  rejected: 'recusada',
  'one of a disabled integrator account': 'em uma conta de integrador desabilitada',
  'without subscription': 'sem assinatura',
  'fit to be called': 'em condições de ser chamada',
  rotated: 'rotacionada',
  'it holds the same secret as {}': 'tem o mesmo segredo que {}',
  'each takes an application of its own: unset one of them, or put in the secret of another application':
    'cada uma pede uma aplicação própria: remova uma delas, ou ponha o segredo de outra aplicação',
  'what needs it will not be exercised': 'o que precisa disso não será exercitado',
  'set it for {*}': 'defina para {}',
  'set it with {} for {*}': 'defina com {} para {}',
  '{*} more ({})': '{} a mais ({})',
  // Endpoints
  '{*} of {} beyond echo let the application pass': '{} de {} além do echo deixam a aplicação passar',
  '{n} endpoint': '{} endpoint',
  '{n} endpoints': '{} endpoints',
  '{*}; registrations and issuance were not asked, since a lenient server might take the question for one':
    '{}; cadastros e emissão não foram perguntados, pois um servidor tolerante poderia tomar a pergunta por um deles',
  'subscription to {}': 'assinatura de {}',
  '{w} {w} answers {*}': '{} {} responde {}',
  "try again: the subscription can't be told": 'tente de novo: não dá para saber da assinatura',
  '{w} {w} ({*}) {*}, while echo gets through': '{} {} ({}) {}, enquanto o echo passa',
  'XML body': 'corpo XML',
  'multipart body': 'corpo multipart',
  'JSON body': 'corpo JSON',
  'no body': 'sem corpo',
  'way to the endpoints': 'caminho até os endpoints',
  'subscribe the application of NFE_APP_SECRET to this scope': 'assine este escopo para a aplicação de NFE_APP_SECRET',
  'echo lets this application pass: npm test tells whether the target deviates':
    'o echo deixa esta aplicação passar: npm test dirá se o serviço se desvia',
  // What the platform answers
  'token, sign or timestamp missing': 'falta token, sign ou timestamp',
  'timestamp invalid or too far from server time': 'timestamp inválido ou longe demais da hora do servidor',
  'invalid token': 'token inválido',
  'signature mismatch': 'assinatura não confere',
  'application disabled': 'aplicação desabilitada',
  'application pending approval or rejected': 'aplicação aguardando aprovação ou recusada',
  'integrator account disabled': 'conta de integrador desabilitada',
  'endpoint not subscribed': 'endpoint não assinado',
  'endpoint retired': 'endpoint desativado',
  'rate limit exceeded': 'limite de requisições excedido',
  // The control API
  'control API': 'API de controle',
  'no application can be made, no clock moved': 'não dá para criar aplicação nem mover relógio',
  'version 1, {}; it takes the token and makes applications': 'versão 1, {}; aceita o token e cria aplicações',
  'check NFE_CONTROL_TOKEN': 'confira NFE_CONTROL_TOKEN',
  'check NFE_CONTROL_URL, which ends where /control/v1 begins, or unset it with NFE_CONTROL_TOKEN':
    'confira NFE_CONTROL_URL, que termina onde /control/v1 começa, ou remova-a com NFE_CONTROL_TOKEN',
  'the control API gives no application to ask with': 'a API de controle não dá aplicação com que perguntar',
};
