// SPDX-License-Identifier: Apache-2.0
// Every way in which an adapter can fail to answer ends inconclusive, with the reason, and never as an answer.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "testsuite/unit/backends/fake_adapter.hpp"

namespace tiebreak {
namespace {

using sample::Adapters;
using sample::asked;
using Cases = std::vector<ExchangeCase>;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// What becomes of one case under a script.
std::string outcome(const std::string& body, BackendOptions options = {}) {
  const Adapters adapters;
  adapters.response("good.h5", {asked("1")}, sample::answered);
  const std::string text = sample::to_text(sample::open(adapters.script("fake", body), options)->run({asked("1")}));
  EXPECT_EQ(adapters.left_in_tmp(), 0U) << body;
  return text;
}

TEST(Misbehaviour, ProcessesThatFail) {
  EXPECT_EQ(outcome("cp $D/good.h5 $RESPONSE"), "answered");
  EXPECT_EQ(outcome("kill -SEGV $$"), "inconclusive: crashed with SIGSEGV");
  EXPECT_EQ(outcome("kill -KILL $$"), "inconclusive: crashed with SIGKILL");
  EXPECT_EQ(outcome("kill -ABRT $$"), "inconclusive: crashed with SIGABRT");
  EXPECT_EQ(outcome("echo first >&2; echo 'no \"license\"' >&2; exit 3"), "inconclusive: exited with status 3: first | no \"license\"");
  // An answer from a process that failed is no answer.
  EXPECT_EQ(outcome("cp $D/good.h5 $RESPONSE; kill -SEGV $$"), "inconclusive: crashed with SIGSEGV");
  EXPECT_EQ(outcome("cp $D/good.h5 $RESPONSE; exit 1"), "inconclusive: exited with status 1");
}

TEST(Misbehaviour, ResponsesThatAreNone) {
  EXPECT_EQ(outcome("exit 0"), "inconclusive: the response cannot be read: cannot read the file: No such file or directory (response.h5)");
  EXPECT_EQ(outcome(": > $RESPONSE"), "inconclusive: the response cannot be read: the file is empty (response.h5)");
  EXPECT_EQ(outcome("echo garbage > $RESPONSE; echo sorry >&2"),
            "inconclusive: the response cannot be read: neither a Tiebreak file nor HDF5: the first bytes are foreign or damaged "
            "(response.h5): sorry");
  EXPECT_EQ(outcome("head -c 1000 $D/good.h5 > $RESPONSE").substr(0, 77), "inconclusive: the response cannot be read: truncated or extended: the file is");
  EXPECT_EQ(outcome("cp $REQUEST $RESPONSE"), "inconclusive: the response file is a request");
  EXPECT_EQ(outcome("mkdir $RESPONSE"), "inconclusive: the response cannot be read: not a regular file (response.h5)");
}

TEST(Misbehaviour, HdfsThatAreBroken) {
  // Plain HDF5, truncated behind the user block: the library has to find out.
  EXPECT_EQ(outcome("tail -c +513 $D/good.h5 | head -c 2000 > $RESPONSE").substr(0, 41), "inconclusive: the response cannot be read");
  EXPECT_EQ(outcome("{ printf '\\211HDF\\r\\n\\032\\n'; head -c 4000 /dev/urandom; } > $RESPONSE").substr(0, 41), "inconclusive: the response cannot be read");
}

/// What becomes of one case under a response.
template <class Change>
std::string judged(Change change) {
  const Adapters adapters;
  adapters.response("changed.h5", {asked("1")}, [&](const ExchangeCase& one) {
    ExchangeCase answer = sample::answered(one);
    change(answer);
    return answer;
  });
  return sample::to_text(sample::open(adapters.script("fake", "cp $D/changed.h5 $RESPONSE"))->run({asked("1")}));
}

TEST(Misbehaviour, AnswersThatDoNotFit) {
  using Case = ExchangeCase&;
  EXPECT_EQ(judged([](Case) {}), "answered");
  EXPECT_EQ(judged([](Case answer) { answer.outputs[0].tensor = sample::bytes("u8", {1, 2, 3}, {3}); }), "inconclusive: output y has shape [3], not [2]");
  EXPECT_EQ(judged([](Case answer) { answer.outputs[0].tensor = sample::bytes("u8", {1, 2}, {2, 1}); }), "inconclusive: output y has shape [2, 1], not [2]");
  EXPECT_EQ(judged([](Case answer) { answer.outputs[0].tensor = sample::bytes("i8", {1, 2}, {2}); }), "inconclusive: output y has type i8, not u8");
  EXPECT_EQ(judged([](Case answer) { answer.outputs[0].tensor = sample::bytes("u4", {1, 2}, {2}); }), "inconclusive: output y has type u4, not u8");
  EXPECT_EQ(judged([](Case answer) { answer.outputs[0].tensor = sample::floats({1, 2}, {2}); }), "inconclusive: output y has type f32, not u8");
  EXPECT_EQ(judged([](Case answer) { answer.outputs.clear(); }), "inconclusive: output y is missing");
  EXPECT_EQ(judged([](Case answer) { answer.outputs[0].name = "z"; }), "inconclusive: output y is missing");
  EXPECT_EQ(judged([](Case answer) { answer.outputs.push_back(sample::named("z", sample::bytes("u8", {1}, {}))); }),
            "inconclusive: output z was not asked for");
  EXPECT_EQ(judged([](Case answer) { answer.id = "op/2"; }), "inconclusive: case 'op/2' was answered but not asked");
  EXPECT_EQ(judged([](Case answer) {
              answer.status = "unsupported";
              answer.reason = "no u8";
            }),
            "unsupported: no u8");
  EXPECT_EQ(judged([](Case answer) { answer.status = "unsupported"; }), "unsupported: no reason given");
  EXPECT_EQ(judged([](Case answer) {
              answer.status = "error";
              answer.reason = "bad\n\x1b[31m\xff";
            }),
            "inconclusive: error: bad | \\x1b[31m\\xff");
  EXPECT_EQ(judged([](Case answer) { answer.status = "error"; }), "inconclusive: error without a reason");
}

TEST(Misbehaviour, HangsEndInTime) {
  const auto begin = Clock::now();
  EXPECT_EQ(outcome("sleep 1000", {.timeout_seconds = 0.3}), "inconclusive: no answer after 0.3 s");
  EXPECT_EQ(outcome("trap '' TERM; while :; do sleep 1; done", {.timeout_seconds = 0.3}), "inconclusive: no answer after 0.3 s");
  EXPECT_EQ(outcome("exec >&- 2>&-; while :; do :; done", {.timeout_seconds = 0.3}), "inconclusive: no answer after 0.3 s");
  EXPECT_LT(seconds_since(begin), 20);
}

/// SIGKILL needs a moment to arrive.
bool ends_soon(const std::string& process) {
  const auto begin = Clock::now();
  for (;;) {
    const std::string stat = sample::read_text("/proc/" + process + "/stat");
    if (stat.empty() || stat.find(") Z") != std::string::npos) return true;
    if (seconds_since(begin) > 10) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST(Misbehaviour, WhatItStartedEndsWithIt) {
  for (const std::string& body : {std::string("sleep 1000 & echo $! > $D/child; wait"), std::string("sleep 1000 & echo $! > $D/child; exit 3")}) {
    const Adapters adapters;
    const auto backend = sample::open(adapters.script("fake", body), {.timeout_seconds = 3});
    EXPECT_EQ(backend->run({asked("1")})[0].kind, BackendAnswer::Kind::inconclusive);
    std::string child = sample::read_text(adapters.file("child"));
    ASSERT_FALSE(child.empty());
    child.pop_back();
    EXPECT_TRUE(ends_soon(child)) << body;
  }
}

TEST(Misbehaviour, OutputIsBounded) {
  const std::string reason = outcome("head -c 10000000 /dev/zero | tr '\\0' x >&2; echo the end >&2; exit 1");
  EXPECT_LT(reason.size(), 4300U);
  EXPECT_TRUE(reason.ends_with("xxxthe end")) << reason.substr(reason.size() - 40);
  EXPECT_EQ(outcome("yes | head -c 10000000; cp $D/good.h5 $RESPONSE"), "answered");
}

TEST(Misbehaviour, MemoryIsBounded) {
  const std::string reason = outcome("dd if=/dev/zero of=/dev/null bs=1G count=1 || exit 7", {.memory_limit_mib = 200});
  EXPECT_EQ(reason.substr(0, 36), "inconclusive: exited with status 7: ") << reason;
  EXPECT_NE(reason.find("dd"), std::string::npos) << reason;
}

TEST(Misbehaviour, InterruptionKills) {
  const Adapters adapters;
  const auto begin = Clock::now();
  const auto has_begun = [&] { return !sample::read_text(adapters.file("runs")).empty(); };
  const auto backend = sample::open(adapters.script("fake", "echo run >> $D/runs; sleep 1000"), {.interrupted = has_begun});
  EXPECT_EQ(sample::to_text(backend->run({asked("1"), asked("2")})), "inconclusive: interrupted\ninconclusive: interrupted");
  EXPECT_LT(seconds_since(begin), 20);
  EXPECT_EQ(sample::read_text(adapters.file("runs")), "run\n");  // nothing is tried again
}

TEST(Misbehaviour, ProgramsThatCannotStart) {
  const Adapters adapters;
  const std::string path = adapters.script("fake", "");
  sample::write_text(path, "#!/no/such/interpreter\n");
  EXPECT_EQ(sample::to_text(sample::open(path)->run({asked("1")})), "inconclusive: cannot start the adapter: No such file or directory");
  sample::write_text(path,
                     "\x7f"
                     "ELF of no machine");
  EXPECT_EQ(sample::to_text(sample::open(path)->run({asked("1")})), "inconclusive: cannot start the adapter: Exec format error");
}

TEST(Isolation, OneBadCaseHidesNoOther) {
  const Adapters adapters;
  Cases cases{asked("a"), asked("bad"), asked("c")};
  for (const char* name : {"a", "c"}) adapters.response(std::string(name) + ".h5", {asked(name)}, sample::answered);
  const auto backend = sample::open(adapters.script("fake",
                                                    "echo run >> $D/runs\n"
                                                    "grep -q op/bad $REQUEST && kill -SEGV $$\n"
                                                    "grep -q op/a $REQUEST && cp $D/a.h5 $RESPONSE\n"
                                                    "grep -q op/c $REQUEST && cp $D/c.h5 $RESPONSE\n"
                                                    "exit 0"));
  EXPECT_EQ(sample::to_text(backend->run(cases)), "answered\ninconclusive: crashed with SIGSEGV\nanswered");
  EXPECT_EQ(sample::read_text(adapters.file("runs")), "run\nrun\nrun\nrun\n");
  EXPECT_TRUE(backend->run({}).empty());
}

TEST(Isolation, OnlyThePartWithABadCaseIsAskedOneByOne) {
  const Adapters adapters;
  Cases cases;
  for (int i = 0; i < 40; ++i) cases.push_back(asked("c" + std::to_string(i + 10)));
  const auto prepare = [&](std::size_t first, std::size_t count) {
    const Cases part(cases.begin() + static_cast<std::ptrdiff_t>(first), cases.begin() + static_cast<std::ptrdiff_t>(first + count));
    adapters.response("c" + std::to_string(first + 10) + "-" + std::to_string(count) + ".h5", part, sample::answered);
  };
  prepare(0, 16);
  prepare(32, 8);
  for (std::size_t i = 16; i < 32; ++i) prepare(i, 1);
  const auto backend = sample::open(adapters.script("fake",
                                                    "names=$(grep -ao 'op/c[0-9][0-9]' $REQUEST | sort -u)\n"
                                                    "set -- $names\n"
                                                    "echo \"${1#op/}-$#\" >> $D/runs\n"
                                                    "case $names in *op/c30*) kill -SEGV $$ ;; esac\n"
                                                    "cp $D/${1#op/}-$#.h5 $RESPONSE"));
  const auto answers = backend->run(cases);
  ASSERT_EQ(answers.size(), 40U);
  for (std::size_t i = 0; i < answers.size(); ++i) EXPECT_EQ(answers[i].reason, i == 20 ? "crashed with SIGSEGV" : "") << i;
  const std::string runs = sample::read_text(adapters.file("runs"));
  EXPECT_EQ(runs.substr(0, 25), "c10-40\nc10-16\nc26-16\nc26-") << runs;
  EXPECT_EQ(std::ranges::count(runs, '\n'), 1 + 3 + 16) << runs;
}

TEST(Isolation, StopsWhereEveryCaseEndsAlike) {
  const Adapters adapters;
  Cases cases;
  for (int i = 0; i < 50; ++i) cases.push_back(asked(std::to_string(i)));
  const auto backend = sample::open(adapters.script("fake", "echo run >> $D/runs; echo $$ >&2; kill -SEGV $$"));
  const auto answers = backend->run(cases);
  ASSERT_EQ(answers.size(), 50U);
  EXPECT_EQ(sample::read_text(adapters.file("runs")).size(), 23 * 4U);  // together, two parts of sixteen, and twenty alone
  EXPECT_EQ(answers[19].reason.substr(0, 22), "crashed with SIGSEGV: ");
  EXPECT_EQ(answers[20].reason, "crashed with SIGSEGV, as the cases before it; not run alone");
  EXPECT_EQ(answers[49].reason, answers[20].reason);
}

TEST(Isolation, AMissingAnswerIsThatCasesOwn) {
  const Adapters adapters;
  adapters.response("some.h5", {asked("a"), asked("c")}, sample::answered);
  const auto backend = sample::open(adapters.script("fake", "cp $D/some.h5 $RESPONSE"));
  EXPECT_EQ(sample::to_text(backend->run({asked("a"), asked("b"), asked("c")})), "answered\ninconclusive: no answer for this case\nanswered");
}

TEST(Isolation, ACaseThatCannotBeWrittenIsItsOwn) {
  const Adapters adapters;
  adapters.response("a.h5", {asked("a")}, sample::answered);
  const auto backend = sample::open(adapters.script("fake", "cp $D/a.h5 $RESPONSE"));
  const auto answers = backend->run({asked("a"), asked("not an id")});
  EXPECT_EQ(answers[0].kind, BackendAnswer::Kind::answered);
  EXPECT_EQ(answers[1].reason.substr(0, 60), "the request cannot be written: case id 'op/not an id': only ");
}

}  // namespace
}  // namespace tiebreak
