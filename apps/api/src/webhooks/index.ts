/** What other nouns may import. */
export { DeliveryLink, RecordLink } from './delivery-parts.js';
export { endsOf, hourLabel, owedText } from './traffic-charts.js';
export { IsEventKind } from './webhooks.dto.js';
