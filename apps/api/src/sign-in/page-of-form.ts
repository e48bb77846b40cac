export { pageOfForm } from './return-paths.js';
