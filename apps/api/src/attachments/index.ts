/** What other nouns may import. */
export { AttachmentList, formatBytes } from './attachment-list.js';
