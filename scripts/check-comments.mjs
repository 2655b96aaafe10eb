/** Checks the form of every comment, see `lib/comment-rules.mjs`. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { commentViolations } from './lib/comment-rules.mjs';
import { inRoot, ROOT } from './lib/paths.mjs';

const LISTED = ['ls-files', '--cached', '--others', '--exclude-standard'];
const files = execFileSync('git', [...LISTED, '*.ts', '*.mts', '*.mjs', '*.js', '*.css'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !/(^|\/)fixtures\//.test(file) && existsSync(inRoot(file)));

const lines = files.flatMap((file) =>
  commentViolations(readFileSync(inRoot(file), 'utf8')).map(({ line, rule }) => `${file}:${line}: ${rule}`),
);
for (const line of lines) console.log(line);
if (lines.length > 0) {
  console.log(
    `${lines.length} comments break the rules of their form. Break long lines; begin with a verb or a noun.`,
  );
  process.exitCode = 1;
} else {
  console.log(`The comments of ${files.length} files keep the rules.`);
}
