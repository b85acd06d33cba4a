// Data as a Python script: Python reads the numbers that were written.
#include "app/figures/parts/tables/plot_script.h"

#include <gmock/gmock.h>

#include "core/io/files.h"
#include "tests/output_of.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

/// Returns what Python prints that imports the script's data, without Matplotlib.
std::string printed_by(const std::string& script, const std::string& print) {
    const TemporaryFolder folder;
    atomic_write(folder.file("plot.py"), script);
    return output_of("cd '" + folder.path() + "' && /usr/bin/python3 -c 'from plot import *\n" + print + "' 2>&1");
}

TEST(PlotScript, HoldsTheNumbersOfCurves) {
    DataTable table =
        table_of_columns({{"distance", {1, 2, 3}}, {"mean", {0.1, -2.5e-7, nan}}, {"p='1'", {1, infinity, 0}}});
    table.what = "decay";
    const std::string script = plot_script(table, {});
    EXPECT_EQ(
        printed_by(script, "print(data.shape, data[0, 1], data[1, 1], np.isnan(data[2, 1]), data[1, 2], columns[2])"),
        "(3, 3) 0.1 -2.5e-07 True inf p='1'\n");
    EXPECT_THAT(script, HasSubstr("ax.plot(x, y, label=name"));
    EXPECT_THAT(script, HasSubstr("# The data of 'decay'"));
}

TEST(PlotScript, AndCsvQuoteNamesOfAnyKind) {
    DataTable table = table_of_columns({{"r", {1}}, {"a=1,2 \"b\"\r\nand 'c' \\", {2}}});
    table.what = "decay";
    EXPECT_EQ(printed_by(plot_script(table, {}), "print(repr(columns[1]))"), "'a=1,2 \"b\"\\r\\nand \\'c\\' \\\\'\n");
    EXPECT_EQ(encode(table, "csv", {}), "r,\"a=1,2 \"\"b\"\"\r\nand 'c' \\\"\n1,2\n");
}

TEST(PlotScript, ShowsAMatrixAsAnImage) {
    DataTable table{.what = "weights", .shape = {2, 2}, .columns = {"key_0", "key_1"}, .values = {1, 0, 0.25, 0.75}};
    const std::string script = plot_script(table, {});
    EXPECT_EQ(printed_by(script, "print(data.tolist())"), "[[1.0, 0.0], [0.25, 0.75]]\n");
    EXPECT_THAT(script, HasSubstr("ax.imshow("));
}

TEST(PlotScript, IsValidPython) {
    for (const DataTable& table : {DataTable{.what = "a", .shape = {3}, .columns = {"g"}, .values = {1, 2, 3}},
                                   DataTable{.what = "b", .shape = {1, 1}, .columns = {"x"}, .values = {1}}}) {
        const std::string script = plot_script(table, {});
        EXPECT_EQ(printed_by(script, "compile(open(\"plot.py\").read(), \"plot.py\", \"exec\")\nprint(data.size)"),
                  std::to_string(table.size()) + "\n");
    }
}

}  // namespace
}  // namespace ropewalk
