import type { Texts } from './texts.ts';

/** What is said of the settings, the clock, the receiver and the clauses that a run will exercise. */
export const targetTexts: Texts = {
  // Settings
  'everything else': 'tudo o mais',
  'it goes by the settings': 'depende das configurações',
  'it goes by these': 'depende disso',
  'correct it in .env or in the environment; .env.example lists all settings':
    'corrija em .env ou no ambiente; .env.example lista todas as configurações',
  'the embedded simulator: nothing needs to be set': 'o simulador embutido: nada precisa ser definido',
  'the simulator in a container: a Docker engine is all that it needs':
    'o simulador em um contêiner: só precisa de um Docker',
  'a sandbox at {}': 'um sandbox em {}',
  'a container is built and run by Docker; `embedded` needs none':
    'um contêiner é construído e executado pelo Docker; `embedded` não precisa',
  'reports show whatever the server sends, whoever it tells of; only secrets and links are hidden':
    'os relatórios mostram tudo o que o servidor envia, de quem quer que fale; só segredos e links são ocultos',
  'unset it where the server knows real people': 'remova-o onde o servidor conhece pessoas reais',
  // Clock
  '{*}; it answers {*}': '{}; ele responde {}',
  "echo's serverTime is {} off, and yet the target takes this machine's timestamps":
    'o serverTime do echo difere em {}, e ainda assim o serviço aceita os timestamps desta máquina',
  'it is not taken for a clock: npm test judges it': 'não é tomado por relógio: npm test o julga',
  'the timestamps that it takes': 'os timestamps que ele aceita',
  'echo serverTime': 'serverTime do echo',
  'Date header': 'header Date',
  'the target tells no time, neither in serverTime nor in Date':
    'o serviço não diz a hora, nem em serverTime nem em Date',
  'see that both clocks are right': 'veja se os dois relógios estão certos',
  "the target's clock {*} this machine's ({*}, ± {})": 'o relógio do serviço {} desta máquina ({}, ± {})',
  'is {} s {*}': 'está {} s {}',
  'ahead of': 'adiantado em relação ao',
  behind: 'atrasado em relação ao',
  'agrees with': 'concorda com o',
  'the run allows for it; set the clock that is wrong all the same':
    'a execução leva isso em conta; acerte mesmo assim o relógio errado',
  '{*}: too far for timestamps judged to ±{} s': '{}: longe demais para timestamps julgados a ±{} s',
  'set the clock that is wrong': 'acerte o relógio errado',
  "the clocks don't agree": 'os relógios não concordam',
  // Receiver
  'webhook receiver': 'receptor de webhooks',
  'nothing to set: the simulator reaches it on this machine': 'nada a definir: o simulador o alcança nesta máquina',
  'nothing to set: the container reaches it through the gateway of the engine':
    'nada a definir: o contêiner o alcança pelo gateway do Docker',
  'nothing to set: a target on this machine reaches it': 'nada a definir: um serviço nesta máquina o alcança',
  'webhook checks will not be exercised': 'as verificações de webhook não serão exercitadas',
  'set NFE_WEBHOOK_PUBLIC_URL with NFE_WEBHOOK_LISTEN': 'defina NFE_WEBHOOK_PUBLIC_URL com NFE_WEBHOOK_LISTEN',
  'the receiver must be able to listen there': 'o receptor precisa poder escutar ali',
  'a request to {} arrived at {}': 'uma requisição a {} chegou a {}',
  'a request to {} did not arrive at {} ({})': 'uma requisição a {} não chegou a {} ({})',
  'NFE_WEBHOOK_LISTEN takes a new port each time: give it the one that the public address leads to':
    'NFE_WEBHOOK_LISTEN pega uma porta nova a cada vez: dê a ela a porta a que o endereço público leva',
  'see that the public address leads there; some lead there from outside only':
    'veja se o endereço público leva até ali; alguns só levam vindo de fora',
  // Clauses
  clauses: 'cláusulas',
  '{n} must clause': '{} cláusula obrigatória',
  '{n} must clauses': '{} cláusulas obrigatórias',
  '{n} of {*} will be exercised': '{} de {} serão exercitadas',
  '{*} will not be exercised: {*}': '{} sem exercitar: {}',
  '{*} withheld, for what might issue a real invoice': '{} retidas, pelo que poderia emitir uma nota de verdade',
  'it is true, and must clauses will not be exercised: npm test will end with 1':
    'é true, e há cláusulas obrigatórias que não serão exercitadas: npm test terminará com 1',
  'set what these clauses need, or NFE_REQUIRE_COMPLETE to false':
    'defina o que essas cláusulas pedem, ou NFE_REQUIRE_COMPLETE com false',
  'it is {}, of which {*} will not be exercised: npm test will end with 1':
    'é {}, de que {} não serão exercitadas: npm test terminará com 1',
  'set what these clauses need, or require a lower level':
    'defina o que essas cláusulas pedem, ou exija um nível menor',
  // What clauses need
  'needs {*}': 'precisa de {}',
  'pass {*}': 'passe {}',
  'set {*}': 'defina {}',
  '{N} with {N}': '{} com {}',
  'NFE_PROFILE to a folder with {}': 'NFE_PROFILE com uma pasta que tenha {}',
  'NFE_CONTROL_URL with NFE_CONTROL_TOKEN': 'NFE_CONTROL_URL com NFE_CONTROL_TOKEN',
  'an application whose appKey is known': 'uma aplicação de appKey conhecida',
  'an application whose appName is known': 'uma aplicação de appName conhecido',
  'a secret that a rotation has made invalid': 'um segredo que uma rotação invalidou',
  'an application that is disabled': 'uma aplicação desabilitada',
  'an application that awaits approval': 'uma aplicação que aguarda aprovação',
  'an application that was rejected': 'uma aplicação recusada',
  'an application of an integrator whose account is disabled':
    'uma aplicação de um integrador com a conta desabilitada',
  'an application without any subscription': 'uma aplicação sem nenhuma assinatura',
  'an application that may be driven into 429': 'uma aplicação que pode ser levada a 429',
  'an application made as the check wants it': 'uma aplicação criada como a verificação quer',
  'an application whose secret can be rotated': 'uma aplicação cujo segredo possa ser rotacionado',
  'a clock that can be moved': 'um relógio que possa ser movido',
  'leave to send what might issue a real invoice': 'licença para enviar o que poderia emitir uma nota de verdade',
  'minutes that pass: a clock that can be moved, or patience':
    'minutos que passem: um relógio que possa ser movido, ou paciência',
  'a webhook receiver that the target reaches': 'um receptor de webhooks que o serviço alcance',
  'verification events that lead to our receiver': 'eventos de verificação que levem ao nosso receptor',
  'deliveries that an earlier `npm run receiver` stored': 'entregas que um `npm run receiver` anterior guardou',
  '--received FOLDER': '--received PASTA',
  'a company that the suite registers itself': 'uma empresa que a própria suíte cadastre',
  'a company with a certificate': 'uma empresa com certificado',
  'a second company': 'uma segunda empresa',
  'an issuance that is accepted, whatever comes of it': 'uma emissão que seja aceita, no que quer que dê',
  'an issuance that is authorised': 'uma emissão que seja autorizada',
  'an issuance that is denied': 'uma emissão que seja negada',
  'an issuance that is refused': 'uma emissão que seja recusada',
  'a document that gets a verdict, whichever': 'um documento que receba um veredito, qualquer que seja',
  'a document that is found valid': 'um documento que seja considerado válido',
  'a document that is rejected': 'um documento que seja rejeitado',
  'a CNPJ that the registry knows': 'um CNPJ que o cadastro conheça',
  'a CNPJ that the registry does not know': 'um CNPJ que o cadastro não conheça',
  'a CPF and birth date that the registry knows': 'um CPF e uma data de nascimento que o cadastro conheça',
  'a CPF that the registry does not know': 'um CPF que o cadastro não conheça',
};
