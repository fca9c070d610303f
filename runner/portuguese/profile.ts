import type { Texts } from './texts.ts';

/** What is said of the profile and of what became of its parts. */
export const profileTexts: Texts = {
  profile: 'perfil',
  'profile tried': 'perfil experimentado',
  'it was read, and not tried': 'foi lido, e não experimentado',
  'NFE_PROFILE names the folder; profiles/default is an example':
    'NFE_PROFILE diz a pasta; profiles/default é um exemplo',
  "the bodies of the simulator's own profile are tried, and promise nothing of this target":
    'os corpos do perfil do simulador são experimentados, e nada prometem deste serviço',
  'npm run profile -- init FOLDER finds what suits it': 'npm run profile -- init PASTA encontra o que serve',
  '{n} of {*} in {}, all of them fit to be read': '{} de {} em {}, todos legíveis',
  '{n} file': '{} arquivo',
  '{n} files': '{} arquivos',
  '{n} part': '{} parte',
  '{n} parts': '{} partes',
  '{w} is missing': 'falta {}',
  'it would be {*}; what needs it will not be exercised': 'seria {}; o que precisa dele não será exercitado',
  '{n} of {*} came out as it says: {}': '{} de {} deram no que ele diz: {}',
  'npm test judges that': 'npm test julga isso',
  'what needs it will not be exercised; run it again once the network is better':
    'o que precisa disso não será exercitado; execute de novo quando a rede estiver melhor',
  'what needs it will not be exercised; npm run profile -- init FOLDER finds what suits the target':
    'o que precisa disso não será exercitado; npm run profile -- init PASTA encontra o que serve ao serviço',
  // What each file is for
  'the body that registers a company': 'o corpo que cadastra uma empresa',
  'the certificate of that company': 'o certificado dessa empresa',
  'how a certificate is uploaded: names of the parts, and the password':
    'como se envia um certificado: nomes das partes, e a senha',
  'an issuance that ends authorised': 'uma emissão que termina autorizada',
  'an issuance that is accepted and ends denied': 'uma emissão que é aceita e termina negada',
  'an issuance that is refused at once, with 400 or 404': 'uma emissão recusada na hora, com 400 ou 404',
  'a second company, to see that companies are kept apart':
    'uma segunda empresa, para ver se as empresas ficam separadas',
  'the certificate of the second company, under the same password':
    'o certificado da segunda empresa, com a mesma senha',
  'an invoice that is found valid, and its chave to look up': 'uma nota considerada válida, e a chave dela a consultar',
  'an invoice whose verification ends REJECTED': 'uma nota cuja verificação termina em REJECTED',
  'numbers that the registries know, and numbers that they do not':
    'números que os cadastros conhecem, e números que não conhecem',
  // What became of a part
  'registered, with its certificate': 'cadastrada, com o seu certificado',
  "the profile's {w} {*}": '{} do perfil {}',
  "the profile's {w}: {*}": '{} do perfil: {}',
  'was refused: {*}': 'foi recusado: {}',
  'a correct request was refused before its body was read: {*}':
    'uma requisição correta foi recusada antes de o corpo ser lido: {}',
  'refused: {}': 'recusado: {}',
  'accepted, and is {}': 'aceito, e está {}',
  'accepted, and is {} as the control API decides': 'aceito, e está {} como a API de controle decide',
  'was accepted, and is to be refused': 'foi aceito, e deveria ser recusado',
  'was still AguardandoAutorizacao after {} s: NFE_SETTLE_TIMEOUT sets how long is waited':
    'ainda estava em AguardandoAutorizacao após {} s: NFE_SETTLE_TIMEOUT diz quanto se espera',
  'was to end as {}, and is {}': 'deveria terminar como {}, e está {}',
  "the profile's {w} was accepted, and a query says {*}": '{} do perfil foi aceito, e uma consulta diz {}',
  'was to be {}, and is {}': 'deveria ser {}, e é {}',
  "the profile's {w} gets no verdict: {*}": '{} do perfil não recebe veredito: {}',
  '{w} is not known: {*}': '{} não é conhecido: {}',
  '{w} is known: {*}': '{} é conhecido: {}',
  known: 'conhecido',
  unknown: 'desconhecido',
};
