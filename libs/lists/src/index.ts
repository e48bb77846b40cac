export { Beliefs } from './beliefs.js';
export { Conditions } from './conditions.js';
export { type Cursor, type KeyType, cursorText, readCursor } from './cursor.js';
export { COUNTED_ROWS, type Listing, type Order, type Page, type PageRequest } from './listing.js';
export { Lists } from './lists.js';
export { ListsModule } from './lists.module.js';
export { loadInOrder } from './load.js';
