import { promisesOfDelivery, type StatedClause } from '../clause.ts';

/** What the contract says of the addresses that are called. Sections 4.1, 4.2, 6.5. */
export const webhookUrl = [
  {
    id: 'webhook-url.registration-bare',
    section: '4.2',
    statement: 'The answer to a registration is bare, without a platform envelope.',
    needs: ['callbacks'],
  },
  {
    id: 'webhook-url.registration-status-200',
    section: '7.1',
    level: 'implied',
    statement: 'A registration is answered with 200.',
    needs: ['callbacks'],
  },
  {
    id: 'webhook-url.called-exactly',
    section: '4.1',
    statement: 'The address is called exactly as it was registered, its query included.',
    needs: ['callbacks', 'empresa', 'authorised-issuance'],
    buildsOn: promisesOfDelivery,
  },
  {
    id: 'webhook-url.absolute-http-only',
    section: '6.5',
    statement: 'An address that is no absolute http or https URL is refused.',
    needs: ['callbacks'],
  },
  {
    id: 'webhook-url.test-delivery',
    section: '6.5',
    statement: 'Saving a verification address sends it a test delivery with `event_type` `webhook.verify` at once.',
    needs: ['chosen-application', 'callbacks'],
  },
  {
    id: 'webhook-url.saved-when-acknowledged',
    section: '6.5',
    statement: 'The address is saved when it answers its test with any 2xx.',
    needs: ['chosen-application', 'callbacks'],
    buildsOn: ['webhook-url.test-delivery', 'verdict-event.sent-when-settled'],
  },
  {
    id: 'webhook-url.not-saved-otherwise',
    section: '6.5',
    statement: 'The address is not saved when its test is answered otherwise.',
    needs: ['chosen-application', 'callbacks'],
    buildsOn: ['webhook-url.test-delivery', 'verdict-event.sent-when-settled'],
  },
] as const satisfies readonly StatedClause[];
