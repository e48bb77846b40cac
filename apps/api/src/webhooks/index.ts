/** Parts that other nouns may import. */
export { DeliveryLink, RecordLink } from './delivery-parts.js';
export { endsOf, hourLabel, owedText } from './traffic-charts.js';
export { hostOf, webhookPath } from './webhook-paths.js';
export { IsEventKind } from './webhooks.dto.js';
