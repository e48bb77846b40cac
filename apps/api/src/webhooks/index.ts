/** What other nouns may import. */
export { DeliveryLink } from './deliveries-table.js';
export { endsOf, hourLabel, owedWords } from './traffic-charts.js';
export { IsEventKind } from './webhook.dto.js';
