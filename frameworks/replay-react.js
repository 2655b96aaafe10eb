export * from '../dist/replay/define.js';
