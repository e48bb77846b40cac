export { cursorOfAnotherHistory } from './another-history.js';
export { CountCache } from './count-cache.js';
export { Conditions } from './conditions.js';
export { type Cursor, type KeyType, encodeCursor, decodeCursor } from './cursor.js';
export {
  MAX_COUNTED_ROWS,
  type Listing,
  type Order,
  type Page,
  type PageRequest,
  type Walk,
  wholePage,
} from './listing.js';
export { MAX_PAGE_BYTES, fittingRecords } from './page-bytes.js';
export { type Counted } from './row-counter.js';
export { ListsService } from './lists.service.js';
export { ListsModule } from './lists.module.js';
export { loadInOrder } from './load-in-order.js';
