export { Conditions } from './conditions.js';
export type { Counted } from './count.statements.js';
export { type Cursor, cursorOfAnotherHistory, decodeCursor, encodeCursor } from './cursor.js';
export { type Listing, MAX_COUNTED_ROWS, type Order, byTime } from './listing.js';
export { ListsModule } from './lists.module.js';
export { ListsService } from './lists.service.js';
export { type FeedPage, type Page, type PageRequest, fittingRecords, wholePage } from './listing.js';
export { CountCache } from './count-cache.js';
export { loadInOrder, loaderOf } from './rows.statements.js';
