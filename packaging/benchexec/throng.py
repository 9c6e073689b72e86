"""BenchExec's description of throng: how it is started, and what its output means.

Put this folder on PYTHONPATH and name the module in a benchmark definition: <benchmark tool=".throng"> (throng.xml beside it).
"""

import re

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task, ILP32, LP64

VERDICT = re.compile(r"^verdict: (safe|unsafe|unknown\((.*)\))$")


class Tool(benchexec.tools.template.BaseTool2):
    """throng: `safe` with a proof, `unsafe` with an interleaving, for any number of threads."""

    REQUIRED_PATHS = ["throng", "throng-check"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("throng", subdir="bin")

    def name(self):
        return "throng"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="throng ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "-q", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "--ilp32", LP64: "--lp64"})
        if model and model not in options:
            command.append(model)
        if rlimits.cputime and "--timeout" not in options:
            # A little earlier than the limit: an answer `unknown` says what was learnt.
            command += ["--timeout", f"{max(1, int(rlimits.cputime * 0.9 / (rlimits.cpu_cores or 1)))}s"]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", f"{int(rlimits.memory * 0.9) // 2**20}MiB"]
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run):
        for line in reversed(run.output):
            match = VERDICT.match(line.strip())
            if match:
                if match.group(1) == "safe":
                    return result.RESULT_TRUE_PROP
                if match.group(1) == "unsafe":
                    return result.RESULT_FALSE_REACH
                return f"{result.RESULT_UNKNOWN} ({match.group(2)})"
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        if run.exit_code.value == 2:
            return f"{result.RESULT_UNKNOWN} (refused)"
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        for line in output:
            label, _, value = line.strip().partition("  ")
            if label == identifier:
                return value.strip()
        return None
