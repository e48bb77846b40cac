export { AttachmentList, formatBytes } from './attachment-list.js';
