// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/node/worker.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

extern char** environ;

namespace tiebreak::embedded {
extern const char* const worker_script;  // worker.mjs
}

namespace tiebreak::node {

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 31;
constexpr std::size_t longest_header = std::size_t{1} << 24;  // text that is no frame looks like a longer one

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string frame_header(std::span<const std::byte> model, const std::vector<ExchangeTensor>& inputs) {
  nlohmann::ordered_json header{{"model", model.size()}, {"inputs", nlohmann::json::array()}};
  for (const ExchangeTensor& input : inputs) {
    header["inputs"].push_back(
        {{"name", input.name}, {"type", input.tensor.element().name()}, {"shape", input.tensor.shape()}, {"bytes", input.tensor.bytes().size()}});
  }
  const std::string text = header.dump();
  std::string frame;
  for (int shift = 0; shift < 32; shift += 8) frame += static_cast<char>(text.size() >> shift & 255U);
  return frame + text;
}

/// What arrays of JavaScript can hold.
Status check_types(const std::vector<ExchangeTensor>& inputs) {
  static const std::string known = " f32 f64 f16 bf16 bool i8 u8 i16 u16 i32 u32 i64 u64 ";
  for (const ExchangeTensor& input : inputs) {
    const std::string type = input.tensor.element().name();
    if (known.find(" " + type + " ") == std::string::npos) return fail(Errc::unsupported, "JavaScript has no array of " + type);
  }
  return {};
}

}  // namespace

std::string find_node() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/node").c_str(), X_OK) == 0) return folder + "/node";
  }
  return {};
}

Worker::~Worker() { stop(); }

void Worker::stop() {
  if (to_node_ >= 0) close(to_node_);
  if (from_node_ >= 0) close(from_node_);
  if (process_ > 0) {
    kill(process_, SIGKILL);  // it has nothing to finish
    waitpid(process_, nullptr, 0);
  }
  process_ = to_node_ = from_node_ = -1;
}

Status Worker::start() {
  if (process_ > 0) return {};
  const std::string node = find_node();
  if (node.empty()) return fail(Errc::io, "there is no node on PATH", {}, "install the Debian package nodejs");
  signal(SIGPIPE, SIG_IGN);  // a node that ended is an answer, not the end of this program
  int down[2] = {-1, -1}, up[2] = {-1, -1};
  if (pipe2(down, O_CLOEXEC) != 0 || pipe2(up, O_CLOEXEC) != 0) return fail(Errc::io, std::string("no pipe: ") + std::strerror(errno));
  std::vector<std::string> words{node};
  words.insert(words.end(), script_.node_options.begin(), script_.node_options.end());
  words.insert(words.end(), {"--input-type=module", "-e", embedded::worker_script + script_.backend_text, "--", script_.settings});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, down[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, up[1], STDOUT_FILENO);
  const int code = posix_spawn(&process_, node.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(down[0]);
  close(up[1]);
  to_node_ = down[1];
  from_node_ = up[0];
  if (code != 0) {
    process_ = -1;
    stop();
    return fail(Errc::io, std::string("node cannot be started: ") + std::strerror(code), node);
  }
  return read_answer().map([](const Answer&) {});
}

Status Worker::write_all(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(to_node_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(Errc::backend, "node ended before it had read the case");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Result<std::vector<std::byte>> Worker::read_exactly(std::size_t count) {
  if (count > most_bytes) return fail(Errc::limit, "node announced an answer of " + std::to_string(count) + " bytes");
  std::vector<std::byte> bytes(count);
  for (std::size_t at = 0; at < count;) {
    const ssize_t got = read(from_node_, bytes.data() + at, count - at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return fail(Errc::backend, "node ended without an answer");
    at += static_cast<std::size_t>(got);
  }
  return bytes;
}

Result<Worker::Answer> Worker::read_answer() {
  in_step_ = false;
  TIEBREAK_TRY(prefix, read_exactly(4));
  std::size_t length = 0;
  for (std::size_t at = 4; at-- > 0;) length = length << 8 | std::to_integer<std::size_t>(prefix[at]);
  if (length > longest_header) return fail(Errc::backend, "node wrote something that is no answer");
  TIEBREAK_TRY(text, read_exactly(length));
  const auto header = nlohmann::json::parse(reinterpret_cast<const char*>(text.data()), reinterpret_cast<const char*>(text.data()) + length, nullptr, false);
  if (!header.is_object()) return fail(Errc::backend, "node wrote something that is no answer");
  if (header.contains("version")) identity_ = {header["version"].get<std::string>(), header["details"].get<std::map<std::string, std::string>>()};
  Answer answer;
  for (const auto& output : header["outputs"]) {
    TIEBREAK_TRY(bytes, read_exactly(output["bytes"].get<std::size_t>()));
    const auto element = ElementType::parse(output["type"].get<std::string>());
    if (!element) return fail(Errc::backend, "node answered with elements of type " + output["type"].get<std::string>());
    ExchangeTensor tensor;
    tensor.name = output["name"].get<std::string>();
    TIEBREAK_TRY(whole, Tensor::from_bytes({*element, output["shape"].get<Shape>(), std::nullopt}, std::move(bytes), tensor.name));
    tensor.tensor = std::move(whole);
    answer.outputs.push_back(std::move(tensor));
  }
  in_step_ = !header.value("spoiled", false);
  const std::string status = header.value("status", "error");
  if (status != "ok") return fail(status == "unsupported" ? Errc::unsupported : Errc::backend, header.value("reason", "no reason given"));
  answer.remark = header.value("remark", "");
  return answer;
}

Result<Identity> Worker::identity() {
  const Status started = start();
  if (!started) {
    stop();
    return tl::unexpected<Error>(started.error());
  }
  return identity_;
}

Result<Worker::Answer> Worker::run(std::span<const std::byte> model, const std::vector<ExchangeTensor>& inputs) {
  TIEBREAK_CHECK(check_types(inputs));
  const auto ask = [&]() -> Result<Answer> {
    TIEBREAK_CHECK(start());
    in_step_ = false;
    TIEBREAK_CHECK(write_all(bytes_of(frame_header(model, inputs))));
    TIEBREAK_CHECK(write_all(model));
    for (const ExchangeTensor& input : inputs) TIEBREAK_CHECK(write_all(input.tensor.bytes()));
    return read_answer();
  };
  auto answer = ask();
  if (!in_step_) stop();  // ended, or what it writes next belongs to no question
  return answer;
}

}  // namespace tiebreak::node
